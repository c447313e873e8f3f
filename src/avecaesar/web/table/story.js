/**
 * What happened, in words or in the notation of records, and in between what was said: text, never markup.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { Mark } from "../board/signs.js";
import { html, useEffect, useRef } from "../lib/html.js";
import { remembered } from "../lib/prefs.js";
import words from "../words/table.js";
import { useMenu } from "./seat-actions.js";
import { Muted, Said, Talk, isHidden } from "./talk.js";

const notation = remembered("notation", false);

/** @param {{ session: Session, open: boolean, close: () => void }} props */
export function Story({ session, open, close }) {
  const list = useRef(/** @type {HTMLOListElement | null} */ (null));
  const menu = useMenu();
  const lines = session.story.value.filter((line) => !isHidden(session, line));
  const start = opening(lines);
  const laps = firstOfLap(lines);
  const end = () => list.current && (list.current.scrollTop = list.current.scrollHeight);
  useEffect(() => void end(), [lines, notation.value, open]);
  useEffect(() => {
    const grown = new ResizeObserver(end); // however much room the other panels leave it, its end is in sight
    if (list.current) grown.observe(list.current);
    return () => grown.disconnect();
  }, []);
  return html`<section class=${open ? "telling card open" : "telling card"} aria-label=${words.story}>
    <header>
      <h2>${words.log}</h2>
      <button class="button small quiet drawer-only" type="button" onClick=${close}>${words.close}</button>
    </header>
    <ol id="story" ref=${list} tabindex="0" aria-label=${words.log}>
      ${!lines.length && html`<li class="soft">${words.nothingYet}</li>`}
      <${Opening} session=${session} lines=${lines.slice(0, start).filter((line) => line.kind !== "said")} menu=${menu} />
      ${lines.filter((line, i) => i >= start || line.kind === "said").map(
        (line, i) =>
          html`${laps.get(line) && html`<li class="story-lap" key=${`lap ${laps.get(line)}`}>${words.lap(words.roman[Number(laps.get(line)) - 1] ?? "")}</li>`}
            <${Told} key=${`${line.number} ${i}`} session=${session} line=${line} menu=${menu} />`,
      )}
    </ol>
    <${Muted} session=${session} />
    ${session.place.value ? html`<${Talk} session=${session} menu=${menu}><${Notation} /><//>` : html`<div class="saying"><${Notation} /></div>`}
  </section>`;
}

/** How many lines were told before the race was under way, once it is. @param {t.Line[]} lines */
function opening(lines) {
  const first = lines.findIndex((line) => line.kind === "turn" && line.way.length > 0);
  return first < 0 ? 0 : first;
}

/** The lines with which somebody is the first in a lap. @param {t.Line[]} lines @returns {Map<t.Line, number>} */
function firstOfLap(lines) {
  const found = new Map();
  let lap = 0;
  for (const line of lines) if (line.lap !== null && line.lap > lap) found.set(line, (lap = line.lap));
  return found;
}

/** What came before the race, folded. @param {{ session: Session, lines: t.Line[], menu: t.Menu | null }} props */
function Opening({ session, lines, menu }) {
  if (lines.length < 2) return lines.map((line, i) => html`<${Told} key=${i} session=${session} line=${line} menu=${menu} />`);
  return html`<li class="story-opening">
    <details>
      <summary>${words.opening(lines.length)}</summary>
      <ul>
        ${lines.map((line, i) => html`<${Told} key=${i} session=${session} line=${line} menu=${menu} />`)}
      </ul>
    </details>
  </li>`;
}

/** @param {{ session: Session, line: t.Line, menu: t.Menu | null }} props */
function Told({ session, line, menu }) {
  const shown = session.shown.value;
  const seat = shown?.seats.find((one) => one.seat === line.seat);
  if (line.kind === "said") return html`<${Said} session=${session} line=${line} seat=${seat} menu=${menu} />`;
  if (line.kind === "news") return html`<li class="news">${line.words}</li>`;
  const chariot = line.chariot === null ? undefined : shown?.race?.chariots[line.chariot];
  const by = (line.by && words.by[line.by]) || "";
  const classes = ["turn", line.paid ? "paid" : "", line.home ? "home" : "", line.leads ? "story-lead" : ""];
  return html`<li class=${classes.filter(Boolean).join(" ")}>
    <${Mark} colour=${chariot?.colour ?? "white"} leads=${line.leads} />
    <span>
      ${notation.value && line.notation ? html`<code>${line.notation}</code>` : line.words}
      ${line.leads && html` <em class="story-leads">${words.takesLead}</em>`}
      ${by && html` <span class="soft">(${by})</span>`}
    </span>
  </li>`;
}

/**
 * The newest line, where there is no room for more; it leads to the rest. That one's own time ran out stays until one
 * has decided again.
 * @param {{ session: Session, open: () => void }} props
 */
export function Ticker({ session, open }) {
  const shown = session.shown.value;
  const lines = session.story.value.filter((line) => line.kind !== "said");
  const own = lines.findLast((line) => line.kind === "turn" && line.seat !== null && shown?.yours.includes(line.seat));
  const late = own?.by === "clock" ? own : null;
  const line = late ?? lines.at(-1);
  if (!shown || !line || shown.race?.over) return null;
  const chariot = shown.race?.chariots[line.chariot ?? -1];
  return html`<button class="dock-ticker" id="ticker" type="button" aria-label=${`${words.story}: ${line.words}`} onClick=${open}>
    ${chariot && html`<${Mark} colour=${chariot.colour} />`}
    <span>${late ? words.timeRanOut(line.words) : line.words}</span>
  </button>`;
}

function Notation() {
  return html`<button
    class="button small quiet"
    id="notation"
    type="button"
    aria-pressed=${notation.value}
    onClick=${() => (notation.value = !notation.value)}
  >
    ${words.inNotation}
  </button>`;
}
