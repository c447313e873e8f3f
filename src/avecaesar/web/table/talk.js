/**
 * What is said at the table: each saying, whose are hidden, and where one says something oneself; and what others have
 * said while the story is shut, as on a phone: how much of it, and the newest saying for a moment.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { Mark } from "../board/signs.js";
import { html, useEffect, useSignal } from "../lib/html.js";
import { isMuted, mute } from "../lib/muted.js";
import words from "../words/table.js";
import { useMenu } from "./seat-actions.js";

const SEEN_FOR = 8000; // milliseconds that a saying stays in sight

/** What was said; a phrase in the reader's language. @param {t.Line} line @param {t.Menu | null} menu */
export const phraseOf = (line, menu) =>
  line.phrase ? (menu?.phrases.find((one) => one.phrase === line.phrase)?.words ?? line.phrase) : line.words;

/** Whether somebody said it whom the reader would rather not hear. @param {Session} session @param {t.Line} line */
export const isHidden = (session, line) => line.kind === "said" && isMuted(session.shown.value, line.seat);

/** A saying, and what can be done about it. @param {{ session: Session, line: t.Line, seat: t.SeatShown | undefined, menu: t.Menu | null }} props */
export function Said({ session, line, seat, menu }) {
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
export function Muted({ session }) {
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
 * Where one says something oneself, with a phrase or in words of one's own.
 * @param {{ session: Session, menu: t.Menu | null, children?: any }} props `children`: what stands at the end of its line
 */
export function Talk({ session, menu, children }) {
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
      ${children}
    </form>
  </div>`;
}

// ---------------------------------------------------------------------- while the story is shut

/**
 * @param {Session} session
 * @param {boolean} open whether the story is
 */
export function useUnread(session, open) {
  const unread = useSignal(0);
  const newest = useSignal(/** @type {t.Line | null} */ (null));
  useEffect(() => {
    unread.value = 0;
    newest.value = null;
    if (open) return undefined;
    return session.hear((lines, whole) => {
      const yours = session.shown.peek()?.yours ?? [];
      const said = lines.filter((line) => line.kind === "said" && (line.seat === null || !yours.includes(line.seat)));
      const heard = said.filter((line) => !isHidden(session, line));
      if (whole || !heard.length) return;
      unread.value += heard.length;
      newest.value = heard.at(-1) ?? null;
    });
  }, [session, open]);
  useEffect(() => {
    if (!newest.value) return undefined;
    const timer = setTimeout(() => (newest.value = null), SEEN_FOR);
    return () => clearTimeout(timer);
  }, [newest.value]);
  return { unread: unread.value, newest: newest.value };
}

/** The newest saying, over the board's edge. @param {{ session: Session, line: t.Line | null, open: () => void }} props */
export function Bubble({ session, line, open }) {
  const menu = useMenu();
  if (!line) return null;
  const seat = session.shown.value?.seats.find((one) => one.seat === line.seat);
  return html`<button class="talk-bubble" id="bubble" type="button" onClick=${open}>
    <${Mark} colour=${seat?.colour ?? "white"} />
    <span><b>${seat?.name ?? words.bystander}</b> ${phraseOf(line, menu)}</span>
  </button>`;
}
