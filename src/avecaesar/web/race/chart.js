/**
 * The race as a picture: everybody's way along three laps, home above, time to the right; below it who leads.
 * @module
 * @import { Chronicle, Chronicled } from "../lib/types.js"
 */
import { Shield } from "../board/signs.js";
import { html, useEffect, useRef, useSignal } from "../lib/html.js";
import { liveryOf } from "../lib/liveries.js";
import words from "../words/race.js";
import { cameHome, corners, leftTheRace, spread } from "./chronicle.js";

const LEFT = 34;
const TOP = 54; // above the home line: those that are home
const BELOW = 12; // below it, so that who is nearly home is not there
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
    <${Legend} decided=${chronicle.decided !== null} out=${chronicle.chariots.find(leftTheRace)} />
  </figure>`;
}

/** @param {number} width */
const heightFor = (width) => Math.round(Math.min(Math.max(width * 0.56, 400), 540));

/** @param {{ chronicle: Chronicle, chosen: number | null, width: number }} props */
function Drawing({ chronicle, chosen, width }) {
  const { chariots, decided } = chronicle;
  const small = width < 560;
  const right = small ? 16 : 24;
  const height = heightFor(width) - TOP - BELOW - RIBBON;
  const turns = Math.max(chronicle.scenes.length - 1, 1);
  const longest = Math.max(1, ...chariots.map(({ way }) => way[0]));
  /** @param {number} turn */
  const x = (turn) => LEFT + ((width - LEFT - right) * turn) / turns;
  /** @param {number} spaces */
  const y = (spaces) => TOP + BELOW + (height * spaces) / longest;
  /** @param {number} i @returns {[number, number][]} */
  const line = (i) => {
    const points = corners(chariots[i], decided?.chariot === i ? decided.turn : null);
    return points.map(([turn, spaces], k) => [
      x(turn),
      k === points.length - 1 && cameHome(chariots[i]) ? TOP : y(spaces),
    ]);
  };
  /** @param {number} i @param {number} turn @returns {[number, number]} */
  const at = (i, turn) => [x(turn), turn === chariots[i].ended && cameHome(chariots[i]) ? TOP : y(chariots[i].way[turn])];
  const order = chariots.map((_, i) => i).sort((a, b) => Number(a === chosen) - Number(b === chosen));
  /** @param {number} i */
  const faint = (i) => (chosen !== null && chosen !== i ? "faint" : "");
  return html`<${Laps} chronicle=${chronicle} y=${y} left=${LEFT} right=${width - 2} longest=${longest} />
    ${
      decided && html`<path class="race-decider" d=${`M${x(decided.turn)} ${TOP}V${y(longest)}`} />`
    }
    ${order.map(
      (i) =>
        html`<g key=${i} class=${faint(i)}>
          <${Way} chariot=${chariots[i]} line=${line(i)} at=${(/** @type {number} */ turn) => at(i, turn)} small=${small} />
        </g>`,
    )}
    ${
      decided &&
      html`<g transform=${moved(at(decided.chariot, decided.turn), small ? 0.8 : 1)}>
        <circle class="race-halo" r="9" />
        <circle class="race-point" r="9" />
      </g>`
    }
    ${ends(chariots, line, small ? 20 : 30, width - right).map(
      ({ i, end, stands }) =>
        html`<g key=${i} class=${`race-end ${faint(i)}`} data-chariot=${i}>
          <path class="race-stem" d=${`M${end}L${stands}`} stroke=${liveryOf(chariots[i].colour).edge} />
          <circle class="race-end-point" cx=${end[0]} cy=${end[1]} r="4" fill=${liveryOf(chariots[i].colour).paint} stroke=${liveryOf(chariots[i].colour).edge} />
          <g class="race-shield" transform=${moved(stands, small ? 0.72 : 1.05)}>
            <${Shield} colour=${chariots[i].colour} leads=${chariots[i].place === 1} />
          </g>
        </g>`,
    )}
    ${chariots.map(
      (chariot, i) =>
        leftTheRace(chariot) &&
        html`<g key=${i} class=${`race-out ${faint(i)}`} data-chariot=${i} transform=${moved(line(i).at(-1) ?? [0, 0], small ? 0.8 : 1)}>
          <${Out} colour=${chariot.colour} />
        </g>`,
    )}
    <${Ribbon} chronicle=${chronicle} x=${x} y=${y(longest) + 16} turns=${turns} />`;
}

/** @param {[number, number]} to @param {number} scale */
const moved = (to, scale) => `translate(${to[0]} ${to[1]}) scale(${scale})`;

/** @param {{ chronicle: Chronicle, y: (spaces: number) => number, left: number, right: number, longest: number }} props */
function Laps({ chronicle, y, left, right, longest }) {
  const edges = [0, chronicle.lap, 2 * chronicle.lap, longest];
  return html`<g class="race-laps">
    <rect class="race-lap of-home" x=${left} y="0" width=${right - left} height=${TOP} />
    <rect class="race-lap" x=${left} y=${TOP} width=${right - left} height=${BELOW} />
    ${[0, 1, 2].map(
      (behind) =>
        html`<rect
            class=${`race-lap of-${behind}`}
            x=${left}
            y=${y(edges[behind])}
            width=${right - left}
            height=${Math.max(y(edges[behind + 1]) - y(edges[behind]), 0)}
          />
          <text class="race-roman" x=${left - 8} y=${(y(edges[behind]) + y(edges[behind + 1])) / 2 + 6}>
            ${words.roman[2 - behind]}
          </text>`,
    )}
    <path class="race-home" d=${`M${left} ${TOP}H${right}`} />
    <text class="race-home-word" x=${left + 8} y=${TOP - 10}>${words.homeLine}</text>
  </g>`;
}

/** @param {{ chariot: Chronicled, line: [number, number][], at: (turn: number) => [number, number], small: boolean }} props */
function Way({ chariot, line, at, small }) {
  const { paint, edge } = liveryOf(chariot.colour);
  const drawn = line.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  const thick = small ? 2.6 : 4;
  return html`<path class="race-casing" d=${drawn} stroke=${edge} stroke-width=${thick + 2} />
    <path class="race-way" d=${drawn} stroke=${paint} stroke-width=${thick} />
    ${chariot.missed.map(
      (turn) => html`<g class="race-mark" transform=${moved(at(turn), small ? 0.7 : 1)}><${Cross} /></g>`,
    )}
    ${
      chariot.paid !== null &&
      html`<g class="race-mark" transform=${moved(at(chariot.paid), small ? 0.7 : 1)}><${Coin} /></g>`
    }`;
}

function Cross() {
  return html`<circle class="race-cross-disc" r="7" /><path class="race-cross" d="M-3-3l6 6m0-6l-6 6" />`;
}

function Coin() {
  return html`<circle r="9" fill="#f2c14a" stroke="#96690a" stroke-width="2.4" />
    <circle r="4" fill="none" stroke="#96690a" stroke-width="1.6" />`;
}

/** Where somebody left the race. @param {{ colour: string }} props */
function Out({ colour }) {
  const { paint, edge } = liveryOf(colour);
  return html`<path class="race-out-under" d="M-6-6 6 6M6-6-6 6" stroke=${edge} />
    <path class="race-out-over" d="M-6-6 6 6M6-6-6 6" stroke=${paint} />`;
}

/**
 * Where the shields stand: of those that are home in a row above the line, of those that were still on their way at
 * the end of their lines; where they would cover each other a stem leads to each one's own end.
 * @param {Chronicled[]} chariots
 * @param {(i: number) => [number, number][]} line
 * @param {number} apart
 * @param {number} most where the last may stand
 */
function ends(chariots, line, apart, most) {
  const all = chariots.map((chariot, i) => ({ i, chariot, end: line(i).at(-1) ?? /** @type {[number, number]} */ ([0, 0]) }));
  const home = all.filter(({ chariot }) => cameHome(chariot)).sort((a, b) => a.end[0] - b.end[0]);
  const racing = all.filter(({ chariot }) => chariot.ended === null).sort((a, b) => a.end[1] - b.end[1]);
  const across = spread(home.map(({ end }) => end[0]), apart, most);
  const down = spread(racing.map(({ end }) => end[1] + apart / 2), apart, Infinity);
  /** @type {{ i: number, end: [number, number], stands: [number, number] }[]} */
  const stood = [
    ...home.map(({ i, end }, k) => ({ i, end, stands: /** @type {[number, number]} */ ([across[k], TOP / 2 - 2]) })),
    ...racing.map(({ i, end }, k) => ({ i, end, stands: /** @type {[number, number]} */ ([end[0], down[k]]) })),
  ];
  return stood;
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

/** @param {{ decided: boolean, out: Chronicled | undefined }} props one that left the race, if anybody did */
function Legend({ decided, out }) {
  return html`<figcaption class="race-legend">
    <span><svg viewBox="-10 -10 20 20" aria-hidden="true"><${Cross} /></svg>${words.missedTurn}</span>
    <span><svg viewBox="-11 -11 22 22" aria-hidden="true"><${Coin} /></svg>${words.coinPaid}</span>
    ${out && html`<span><svg viewBox="-10 -10 20 20" aria-hidden="true"><${Out} colour=${out.colour} /></svg>${words.outOfRace}</span>`}
    <span><svg viewBox="0 -7 28 14" class="wide" aria-hidden="true"><rect class="race-legend-ribbon" y="-5" width="28" height="10" /></svg>${words.leads}</span>
    ${
      decided &&
      html`<span><svg viewBox="-12 -12 24 24" aria-hidden="true"><circle class="race-point" r="8" /></svg>${words.decidingTurn}</span>`
    }
  </figcaption>`;
}
