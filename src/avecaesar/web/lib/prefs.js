/**
 * What the browser remembers for its reader: each a signal, kept in this browser and the same in all its tabs.
 * @module
 * @import { Signal } from "@preact/signals"
 */
import { effect, signal } from "./html.js";

const PREFIX = "avecaesar.";

/** @param {string} key @returns {unknown} */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key) ?? "null");
  } catch {
    return null; // storage is closed to us, or somebody else wrote there
  }
}

/**
 * A preference that outlives the page.
 * @template T
 * @param {string} key
 * @param {T} usual
 * @param {(value: unknown) => boolean} [sound] whether a remembered value can be used
 * @returns {Signal<T>}
 */
export function remembered(key, usual, sound = (value) => typeof value === typeof usual) {
  const kept = read(key);
  const pref = signal(kept !== null && sound(kept) ? /** @type {T} */ (kept) : usual);
  let first = true;
  effect(() => {
    const text = JSON.stringify(pref.value);
    if (first) {
      first = false;
      return;
    }
    try {
      localStorage.setItem(PREFIX + key, text);
    } catch {
      // not remembered, but it holds while the page is open
    }
  });
  addEventListener("storage", (event) => {
    if (event.key !== PREFIX + key) return;
    const value = read(key);
    pref.value = value !== null && sound(value) ? /** @type {T} */ (value) : usual;
  });
  return pref;
}

/** @typedef {"auto" | "light" | "dark"} Theme */

/** Light, dark, or as the system has it. */
export const theme = remembered("theme", /** @type {Theme} */ ("auto"), (value) =>
  ["auto", "light", "dark"].includes(/** @type {string} */ (value)),
);
/** Whether a move is shown and confirmed before it stands. */
export const confirmMoves = remembered("confirm", true);
/** Whether the page may be heard. */
export const sound = remembered("sound", true);
/** Whether "your turn" may be announced by a notification. */
export const notifications = remembered("notifications", false);
/** The reader's name; empty until he says it. */
export const myName = remembered("name", "");
/** The reader's favourite colour; empty: any. */
export const myColour = remembered("colour", "");
/** @typedef {"calm" | "brisk" | "at once"} MotionPace */

/** How fast chariots drive on the table. */
export const motionPace = remembered("motion", /** @type {MotionPace} */ ("brisk"), (value) =>
  ["calm", "brisk", "at once"].includes(/** @type {string} */ (value)),
);
/** Whether a letter, a digit or a sign alone is a command; Enter, Escape and arrows always are. */
export const shortcuts = remembered("shortcuts", true);
/** Whether the table is told in words instead of being drawn. An address with `?text=1` or `?text=0` decides it too. */
export const textMode = remembered("text", false);

const wished = new URLSearchParams(location.search).get("text");
if (wished === "1" || wished === "0") textMode.value = wished === "1";
