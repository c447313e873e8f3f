/**
 * The table by keyboard: cards by their value, arrows through the spaces, Enter and Escape.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { useEffect } from "../lib/html.js";

/**
 * @param {Session} session
 * @param {{ help: () => void, talk: () => void, back: () => boolean }} doors `back` closes what is open, if anything is
 */
export function useKeys(session, doors) {
  useEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const at = /** @type {HTMLElement | null} */ (event.target);
      if (at?.closest("input, select, textarea, [contenteditable]")) {
        if (event.key === "Escape") at.blur();
        return;
      }
      if (answer(session, doors, event.key, at)) event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [session]);
}

/**
 * Does what a key says; whether it meant something.
 * @param {Session} session
 * @param {{ help: () => void, talk: () => void, back: () => boolean }} doors
 * @param {string} key
 * @param {HTMLElement | null} at
 */
function answer(session, doors, key, at) {
  if (document.querySelector("dialog[open]")) return false; // it has keys of its own
  if (key === "?") return (doors.help(), true);
  if (key === "t") return (doors.talk(), true);
  if (key === "Escape") return doors.back() || (session.clear(), true);
  if (!session.question.value || document.querySelector("#curtain")) return false;
  if (/^[1-6]$/.test(key)) return holds(session, Number(key)) && (session.chooseCard(Number(key)), true);
  if (key === "h") return session.shown.value?.plan.hints ? (void session.askHint(), true) : false;
  if (key === "ArrowRight" || key === "ArrowDown") return point(session, 1);
  if (key === "ArrowLeft" || key === "ArrowUp") return point(session, -1);
  if (key === "Enter" && !at?.closest("button, a, summary")) return enter(session);
  if (key === "Enter" && at?.closest("[data-card], .offer") && session.chosen.value) return (void session.play(), true);
  return false;
}

/** @param {Session} session @param {number} card */
function holds(session, card) {
  const { question } = session;
  const hand = session.shown.value?.hands.find((one) => one.chariot === question.value?.chariot);
  return Boolean(hand?.cards.includes(card));
}

/** Goes on through what can be chosen now. @param {Session} session @param {1 | -1} step */
function point(session, step) {
  const question = session.question.value;
  if (!question) return false;
  const card = session.card.value;
  const driven = session.targets.value;
  const offers = driven.length ? driven : question.offers;
  if (!offers.length || !session.ready.value) return false;
  if (card !== null || !driven.length) {
    const now = offers.findIndex((offer) => offer === session.chosen.value);
    const next = offers[(now + step + offers.length + (now < 0 && step < 0 ? 1 : 0)) % offers.length];
    if (next) session.choose(next, false);
  } else {
    const spaces = [...new Set(offers.map((offer) => /** @type {t.Destination} */ (offer.to)))];
    const now = session.pointed.value === null ? -1 : spaces.indexOf(session.pointed.value);
    session.pointed.value =
      spaces[(now + step + spaces.length + (now < 0 && step < 0 ? 1 : 0)) % spaces.length] ?? null;
  }
  return true;
}

/** @param {Session} session */
function enter(session) {
  if (session.chosen.value) void session.play();
  else if (session.pointed.value !== null) session.chooseSpace(session.pointed.value);
  else return false;
  return true;
}
