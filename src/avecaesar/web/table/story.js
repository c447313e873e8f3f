/**
 * What happened, in words or in the notation of records, and what was said: text, never markup.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { Mark } from "../board/signs.js";
import { html, useEffect, useRef, useSignal } from "../lib/html.js";
import { isMuted, mute } from "../lib/muted.js";
import { remembered } from "../lib/prefs.js";
import words from "../words/table.js";
import { useMenu } from "./seat-actions.js";

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
    ${session.place.value ? html`<${Talk} session=${session} menu=${menu} />` : html`<div class="saying"><${Notation} /></div>`}
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

/** @param {t.Line} line @param {t.Menu | null} menu */
export const phraseOf = (line, menu) =>
  line.phrase ? (menu?.phrases.find((one) => one.phrase === line.phrase)?.words ?? line.phrase) : line.words;

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

/** Whether somebody said it whom the reader would rather not hear. @param {Session} session @param {t.Line} line */
export const isHidden = (session, line) => line.kind === "said" && isMuted(session.shown.value, line.seat);

/** @param {{ session: Session, line: t.Line, seat: t.SeatShown | undefined, menu: t.Menu | null }} props */
function Said({ session, line, seat, menu }) {
  const open = useSignal(false);
  const shown = session.shown.value;
  if (!shown) return null;
  const { order } = words;
  const name = seat?.name ?? words.bystander;
  const mine = line.seat !== null && shown.yours.includes(line.seat);
  const erases = !line.erased && !line.phrase && (shown.host || mine);
  const mutes = seat && !mine && !seat.driver;
  const hide = () => seat && mute(shown, seat, true);
  const erase = async () => {
    if (await session.command({ do: "erase_saying", number: line.number })) open.value = false;
  };
  return html`<li class=${line.erased ? "said erased" : "said"}>
    <${Mark} colour=${seat?.colour ?? "white"} /><span class="said-words"><b>${name}</b> ${phraseOf(line, menu)}</span>
    ${
      (erases || mutes) &&
      html`<button
        class="said-more"
        type="button"
        aria-expanded=${open.value}
        aria-label=${order.about(name)}
        title=${order.about(name)}
        onClick=${() => (open.value = !open.value)}
      >
        ⋯
      </button>`
    }
    ${
      open.value &&
      html`<div class="said-does" role="group" aria-label=${order.about(name)}>
        ${mutes && html`<button class="button small quiet" type="button" data-mute=${line.seat} onClick=${hide}>${order.mute(name)}</button>`}
        ${
          erases &&
          html`<button
            class="button small quiet"
            type="button"
            data-erase=${line.number}
            disabled=${session.line.value.state !== "open"}
            onClick=${erase}
          >
            ${order.erase}
          </button>`
        }
      </div>`
    }
  </li>`;
}

/** Whose sayings are hidden, and the way back. @param {{ session: Session }} props */
function Muted({ session }) {
  const shown = session.shown.value;
  const hidden = shown?.seats.filter((seat) => isMuted(shown, seat.seat)) ?? [];
  if (!shown || !hidden.length) return null;
  return html`<div class="muted">
    <p class="soft">${words.order.muted(hidden.map((seat) => seat.name).join(", "))}</p>
    ${hidden.map(
      (seat) =>
        html`<button class="button small quiet" type="button" data-unmute=${seat.seat} onClick=${() => mute(shown, seat, false)}>
          ${words.order.unmute(seat.name)}
        </button>`,
    )}
  </div>`;
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

/** @param {{ session: Session, menu: t.Menu | null }} props */
function Talk({ session, menu }) {
  const text = useSignal("");
  const open = useSignal(false);
  const phrased = (/** @type {t.Phrase} */ phrase) => {
    open.value = false;
    void session.command({ do: "say", phrase });
  };
  const ready = session.line.value.state === "open";
  const say = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const said = text.value.trim();
    if (!said) return;
    text.value = ""; // at once: whoever types on before the answer comes would lose it
    if (!(await session.command({ do: "say", text: said })) && !text.value) text.value = said;
  };
  return html`<div class="talk">
    ${
      open.value &&
      html`<div class="phrases" role="group" aria-label=${words.phrases}>
        ${menu?.phrases.map(
          ({ phrase, words: said }) =>
            html`<button
              class="phrase"
              type="button"
              data-phrase=${phrase}
              disabled=${!ready}
              onClick=${() => phrased(phrase)}
            >
              ${said}
            </button>`,
        )}
      </div>`
    }
    <form class="saying" onSubmit=${say}>
      <button
        class="button small"
        id="phrases"
        type="button"
        aria-expanded=${open.value}
        aria-label=${words.phrases}
        title=${words.phrases}
        onClick=${() => (open.value = !open.value)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4 5h16v11H10l-4 4v-4H4zM8 10.500h.1M12 10.500h.1M16 10.500h.1" />
        </svg>
      </button>
      <input
        class="input"
        id="chat-input"
        maxlength=${menu?.longest_saying}
        autocomplete="off"
        placeholder=${words.say}
        aria-label=${words.say}
        value=${text.value}
        onInput=${(/** @type {Event} */ event) => (text.value = /** @type {HTMLInputElement} */ (event.target).value)}
      />
      <button class="button small" type="submit" disabled=${!ready || !text.value.trim()}>${words.send}</button>
      <${Notation} />
    </form>
  </div>`;
}
