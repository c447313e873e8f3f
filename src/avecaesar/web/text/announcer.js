/**
 * What is read aloud at once, in words or beside the picture: that the reader must decide, and with what.
 * @module
 * @import { Session } from "../table/session.js"
 * @import * as t from "../lib/types.js"
 */
import { html } from "../lib/html.js";
import text from "../words/text.js";
import { holds } from "./lists.js";

/** @param {{ session: Session }} props */
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
