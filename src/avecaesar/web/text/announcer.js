/**
 * What is read aloud, in words or beside the picture: the story as it is told and, at once, that the reader must decide,
 * and with what.
 * @module
 * @import { Session } from "../table/session.js"
 * @import * as t from "../lib/types.js"
 */
import { html, useEffect, useSignal } from "../lib/html.js";
import { useMenu } from "../table/seat-actions.js";
import { isHidden, phraseOf } from "../table/talk.js";
import words from "../words/table.js";
import text from "../words/text.js";
import { holds } from "./lists.js";

const REMEMBERED = 12; // lines that are read aloud as they come

/** Tells the story to those who listen. @param {{ session: Session }} props */
export function LiveStory({ session }) {
  const menu = useMenu();
  const told = useSignal(/** @type {t.Line[]} */ ([]));
  useEffect(() => session.hear((lines, whole) => void (told.value = whole ? [] : [...told.value, ...lines].slice(-REMEMBERED))), [session]);
  const name = (/** @type {t.Line} */ line) =>
    session.shown.value?.seats.find((seat) => seat.seat === line.seat)?.name ?? words.bystander;
  return html`<div class="visually-hidden" id="live" aria-live="polite">
    ${told.value.filter((line) => !isHidden(session, line)).map((line) => html`<p key=${`${line.number} ${line.words}`}>${line.kind === "said" ? `${name(line)}: ${phraseOf(line, menu)}` : line.words}</p>`)}
  </div>`;
}

/** Calls the reader whose turn it is. @param {{ session: Session }} props */
export function LiveCall({ session }) {
  const shown = session.shown.value;
  return html`<p class="visually-hidden" id="live-call" aria-live="assertive">
    ${shown && !shown.paused && called(session, shown)}
  </p>`;
}

/** @param {Session} session @param {t.TableShown} shown */
function called(session, shown) {
  const question = session.question.value;
  if (!question) {
    const seat = shown.seats.find((one) => one.seat === shown.curtain);
    return seat && !session.running.value ? text.called(seat.name) : null;
  }
  const hand = shown.hands.find((one) => one.chariot === question.chariot);
  const about = question.asks === "turn" && hand ? ` ${holds(shown, hand)} ${hand.standing}` : "";
  return `${question.title}.${about}`;
}
