/**
 * The race as a picture: everybody's way along three laps, home above, time to the right; below it who leads.
 * @module
 * @import { Chronicle, Chronicled } from "./chronicle.js"
 */
import { html, useEffect, useRef, useSignal } from "../lib/html.js";
import { liveryOf } from "../lib/liveries.js";
import { Shield } from "../table/signs.js";
import words from "../words/race.js";
import { corners } from "./chronicle.js";

const LEFT = 34;
const TOP = 40;
const RIBBON = 44;
const NARROWEST = 120; // before the page has been laid out there is no room yet

/** How wide an element is, whenever that changes. @returns {[import("preact").RefObject<any>, number]} */
function useWidth() {
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  const width = useSignal(0);
  useEffect(() => {
    const seen = new ResizeObserver(([entry]) => (width.value = Math.round(entry.contentRect.width)));
    if (element.current) seen.observe(element.current);
    return () => seen.disconnect();
  }, []);
  return [element, width.value];
}

/** @param {{ chronicle: Chronicle, chosen: number | null }} props */
export function Chart({ chronicle, chosen }) {
  const [frame, width] = useWidth();
  return html`<figure class="race-chart">
    <div ref=${frame}>
      ${
        width > NARROWEST &&
        html`<svg viewBox=${`0 0 ${width} ${heightFor(width)}`} width=${width} height=${heightFor(width)} role="img" aria-label=${words.chartLabel}>
          <${Drawing} chronicle=${chronicle} chosen=${chosen} width=${width} />
        </svg>`
      }
    </div>
    <${Legend} decided=${chronicle.decided !== null} />
  </figure>`;
}

/** @param {number} width */
const heightFor = (width) => Math.round(Math.min(Math.max(width * 0.56, 400), 540));

/** @param {{ chronicle: Chronicle, chosen: number | null, width: number }} props */
function Drawing({ chronicle, chosen, width }) {
  const { chariots, decided } = chronicle;
  const small = width < 560;
  const right = small ? 20 : 36;
  const height = heightFor(width) - TOP - RIBBON;
  const turns = Math.max(chronicle.scenes.length - 1, 1);
  const longest = Math.max(1, ...chariots.map(({ way }) => way[0]));
  /** @param {number} turn */
  const x = (turn) => LEFT + ((width - LEFT - right) * turn) / turns;
  /** @param {number} spaces */
  const y = (spaces) => TOP + (height * spaces) / longest;
  const order = chariots.map((_, i) => i).sort((a, b) => Number(a === chosen) - Number(b === chosen));
  /** @param {number} i */
  const faint = (i) => (chosen !== null && chosen !== i ? "faint" : "");
  return html`<${Laps} chronicle=${chronicle} x=${x} y=${y} turns=${turns} longest=${longest} />
    ${
      decided && html`<path class="race-decider" d=${`M${x(decided.turn)} ${y(0)}V${y(longest)}`} />`
    }
    ${order.map((i) => html`<g key=${i} class=${faint(i)}><${Way} chariot=${chariots[i]} x=${x} y=${y} small=${small} /></g>`)}
    ${
      decided &&
      html`<g transform=${`translate(${x(decided.turn)} ${y(chariots[decided.chariot].way[decided.turn])}) scale(${small ? 0.8 : 1})`}>
        <circle class="race-halo" r="9" />
        <circle class="race-point" r="9" />
      </g>`
    }
    ${ends(chariots, x, y, small ? 17 : 25).map(
      ({ i, at }) =>
        html`<g key=${i} class=${`race-shield ${faint(i)}`} transform=${`translate(${at[0]} ${at[1]}) scale(${small ? 0.72 : 1.05})`}>
          <${Shield} colour=${chariots[i].colour} leads=${chariots[i].place === 1} />
        </g>`,
    )}
    <${Ribbon} chronicle=${chronicle} x=${x} y=${y(longest) + 16} turns=${turns} />`;
}

/** @param {{ chronicle: Chronicle, x: (turn: number) => number, y: (spaces: number) => number, turns: number, longest: number }} props */
function Laps({ chronicle, x, y, turns, longest }) {
  const edges = [0, chronicle.lap, 2 * chronicle.lap, longest];
  return html`<g class="race-laps">
    ${[0, 1, 2].map(
      (behind) =>
        html`<rect
            class=${`race-lap of-${behind}`}
            x=${x(0)}
            y=${y(edges[behind])}
            width=${x(turns) - x(0)}
            height=${Math.max(y(edges[behind + 1]) - y(edges[behind]), 0)}
          />
          <text class="race-roman" x=${x(0) - 8} y=${(y(edges[behind]) + y(edges[behind + 1])) / 2 + 6}>
            ${words.roman[2 - behind]}
          </text>`,
    )}
    <path class="race-home" d=${`M${x(0)} ${y(0)}H${x(turns)}`} />
    <text class="race-home-word" x=${x(0) + 4} y=${y(0) - 8}>${words.homeLine}</text>
  </g>`;
}

/** @param {{ chariot: Chronicled, x: (turn: number) => number, y: (spaces: number) => number, small: boolean }} props */
function Way({ chariot, x, y, small }) {
  const { paint, edge } = liveryOf(chariot.colour);
  const line = corners(chariot)
    .map(([turn, spaces], i) => `${i ? "L" : "M"}${x(turn).toFixed(1)} ${y(spaces).toFixed(1)}`)
    .join("");
  const thick = small ? 2.6 : 4;
  return html`<path class="race-casing" d=${line} stroke=${edge} stroke-width=${thick + 2} />
    <path class="race-way" d=${line} stroke=${paint} stroke-width=${thick} />
    ${chariot.missed.map(
      (turn) => html`<g transform=${`translate(${x(turn)} ${y(chariot.way[turn])}) scale(${small ? 0.7 : 1})`}><${Cross} /></g>`,
    )}
    ${
      chariot.paid !== null &&
      html`<g transform=${`translate(${x(chariot.paid)} ${y(chariot.way[chariot.paid])}) scale(${small ? 0.7 : 1})`}><${Coin} /></g>`
    }`;
}

function Cross() {
  return html`<circle class="race-cross-disc" r="7" /><path class="race-cross" d="M-3-3l6 6m0-6l-6 6" />`;
}

function Coin() {
  return html`<circle r="9" fill="#f2c14a" stroke="#96690a" stroke-width="2.4" />
    <circle r="4" fill="none" stroke="#96690a" stroke-width="1.6" />`;
}

/**
 * Where each way's shield stands: at its end, or beside it if another is there already.
 * @param {Chronicled[]} chariots
 * @param {(turn: number) => number} x
 * @param {(spaces: number) => number} y
 * @param {number} apart
 */
function ends(chariots, x, y, apart) {
  /** @type {{ i: number, at: [number, number] }[]} */
  const found = [];
  const order = chariots
    .map((chariot, i) => ({ i, end: corners(chariot).at(-1) ?? [0, 0] }))
    .sort((a, b) => a.end[0] - b.end[0] || a.end[1] - b.end[1]);
  for (const { i, end } of order) {
    /** @type {[number, number][]} */
    const spots = [0, -1, -2].flatMap((left) =>
      [0, -1, 1, 2].map((down) => /** @type {[number, number]} */ ([x(end[0]) + left * apart, y(end[1]) + down * apart])),
    );
    const free = spots.find((spot) =>
      found.every(({ at }) => Math.hypot(at[0] - spot[0], at[1] - spot[1]) > apart * 0.96),
    );
    found.push({ i, at: free ?? spots[0] });
  }
  return found;
}

/** Who leads, and a small shield where that changes. @param {{ chronicle: Chronicle, x: (turn: number) => number, y: number, turns: number }} props */
function Ribbon({ chronicle, x, y, turns }) {
  const { chariots, leads } = chronicle;
  const home = Math.min(turns, ...chariots.flatMap(({ status, ended }) => (status === "home" && ended ? [ended] : [])));
  let free = -Infinity;
  return html`<g>
    ${leads.map((lead, i) => {
      const { paint, edge } = liveryOf(chariots[lead.chariot].colour);
      const to = Math.max(x(leads[i + 1]?.turn ?? home), x(lead.turn) + 1);
      return html`<rect x=${x(lead.turn)} y=${y} width=${to - x(lead.turn)} height="14" fill=${paint} stroke=${edge} />`;
    })}
    ${leads.map((lead) => {
      if (x(lead.turn) < free) return null;
      free = x(lead.turn) + 22;
      return html`<g transform=${`translate(${x(lead.turn)} ${y + 7}) scale(.9)`}><${Shield} colour=${chariots[lead.chariot].colour} /></g>`;
    })}
  </g>`;
}

/** @param {{ decided: boolean }} props */
function Legend({ decided }) {
  return html`<figcaption class="race-legend">
    <span><svg viewBox="-10 -10 20 20" aria-hidden="true"><${Cross} /></svg>${words.missedTurn}</span>
    <span><svg viewBox="-11 -11 22 22" aria-hidden="true"><${Coin} /></svg>${words.coinPaid}</span>
    <span><svg viewBox="0 -7 28 14" class="wide" aria-hidden="true"><rect class="race-legend-ribbon" y="-5" width="28" height="10" /></svg>${words.leads}</span>
    ${
      decided &&
      html`<span><svg viewBox="-12 -12 24 24" aria-hidden="true"><circle class="race-point" r="8" /></svg>${words.decidingTurn}</span>`
    }
  </figcaption>`;
}
