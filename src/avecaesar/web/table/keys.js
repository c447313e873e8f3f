/**
 * The table by keyboard: cards, decks and piles by their number, arrows through the spaces, Enter and Escape, and letters
 * for what else can be done, which may be switched off.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { useEffect } from "../lib/html.js";
import { notify } from "../lib/notices.js";
import { shortcuts } from "../lib/prefs.js";
import words from "../words/table.js";

/** @typedef {{ help: () => void, talk: () => void, text: () => void, back: () => boolean }} Doors  `back` closes what is open, if anything is */

/** Whoever used one of these and then chose a move by key means the move with Enter. */
const TOOLS = "header .tool, .bar .tool, #clear, #hint";

/** @param {Session} session @param {Doors} doors */
export function useKeys(session, doors) {
  useEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (document.querySelector("dialog[open]")) return; // it has keys of its own
      const at = /** @type {HTMLElement | null} */ (event.target);
      if (at?.closest("input, select, textarea, [contenteditable]")) {
        if (event.key === "Escape" && !doors.back()) at.blur();
        return;
      }
      const meant = event.key.length > 1 ? answer(session, doors, event.key, at) : strike(session, doors, event.key);
      if (!meant) return;
      event.preventDefault();
      if (session.chosen.value && at?.closest(TOOLS)) at.blur();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [session]);
}

/**
 * Does what a letter, a digit or a sign says; whether it meant something.
 * @param {Session} session
 * @param {Doors} doors
 * @param {string} key
 */
function strike(session, doors, key) {
  if (!shortcuts.value) return false;
  if (key === "l") return curtain(session);
  if (document.querySelector("#curtain")) return false;
  if (key === "?") return (doors.help(), true);
  if (key === "s") return (doors.talk(), true);
  if (key === "t") return (doors.text(), true);
  if (key === "p") return pause(session);
  const question = session.question.value;
  if (!question) return false;
  if (key === "h") return session.shown.value?.plan.hints ? (void session.askHint(), true) : false;
  return /^[1-6]$/.test(key) && number(session, question, Number(key));
}

/**
 * Does what Enter, Escape or an arrow says; whether it meant something.
 * @param {Session} session
 * @param {Doors} doors
 * @param {string} key
 * @param {HTMLElement | null} at
 */
function answer(session, doors, key, at) {
  if (document.querySelector("#curtain")) return false;
  if (key === "Escape") return doors.back() || (session.clear(), true);
  if (!session.question.value) return false;
  if (at?.closest("#story, .text-page summary")) return false; // arrows scroll there, Enter opens
  if (key === "ArrowRight" || key === "ArrowDown") return point(session, 1);
  if (key === "ArrowLeft" || key === "ArrowUp") return point(session, -1);
  if (key === "Enter" && !at?.closest("button, a, summary")) return enter(session);
  if (key === "Enter" && at?.closest("[data-card], .offer") && session.chosen.value) return (void session.play(), true);
  return false;
}

/** Lifts the curtain for who is called, or lets it fall again. @param {Session} session */
function curtain(session) {
  const shown = session.shown.value;
  if (!shown || session.running.value) return false;
  const falls = shown.yours.length > 1 && shown.eyes !== null;
  if (shown.curtain === null && !falls) return false;
  void session.command({ do: "lift", seat: shown.curtain });
  return true;
}

/** @param {Session} session */
function pause(session) {
  const shown = session.shown.value;
  if (shown?.phase !== "racing" || !session.place.value) return false;
  void session.command({ do: shown.paused ? "resume" : "pause" });
  return true;
}

/** A card by its value; a deck or a pile by its number. @param {Session} session @param {t.QuestionShown} question @param {number} key */
function number(session, question, key) {
  if (question.asks === "turn") return holds(session, key) && (session.chooseCard(key), true);
  const offer = question.offers.find((one, i) => ("pile" in one.move ? one.move.pile : i) === key - 1);
  if (!offer || !session.ready.value || question.asks === "sort") return false;
  session.choose(offer, false);
  return true;
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
  else if (session.card.value !== null && session.targets.value.length > 1) notify(words.chooseSpace(session.card.value));
  else return false;
  return true;
}
