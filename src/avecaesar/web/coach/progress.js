/**
 * How far the pupil is: remembered in this browser, for the lesson that was begun last.
 * @module
 */
import { remembered } from "../lib/prefs.js";

/** The lessons, each a leaf of the wreath, in the order in which they are wanted. */
export const LESSONS = /** @type {const} */ (["move", "alley", "six", "blocked", "wall", "exact", "spare"]);

/** @typedef {(typeof LESSONS)[number]} Lesson */
/** @typedef {{ table: string, learned: Lesson[], off: boolean }} Progress */

/** @type {Progress} */
const NONE = { table: "", learned: [], off: false };

/** @param {unknown} value */
function sound(value) {
  const kept = /** @type {Partial<Progress>} */ (value);
  return (
    typeof kept.table === "string" &&
    typeof kept.off === "boolean" &&
    Array.isArray(kept.learned) &&
    kept.learned.every((lesson) => LESSONS.includes(lesson))
  );
}

const kept = remembered("lesson", NONE, sound);

/** How far he is at a table. @param {string} table @returns {Progress} */
export const progressAt = (table) => (kept.value.table === table ? kept.value : { ...NONE, table });

/** The lesson that was begun last, if any. */
export const lastLesson = () => kept.value;

/** Turns to a lesson, so that the lobby leads back to it. @param {string} table */
export function attend(table) {
  if (kept.peek().table !== table) kept.value = { ...NONE, table };
}

/** @param {string} table @param {Lesson} lesson */
export function learn(table, lesson) {
  const now = progressAt(table);
  if (!now.learned.includes(lesson)) kept.value = { ...now, learned: [...now.learned, lesson] };
}

/** Sends the coach away, or calls him back. @param {string} table @param {boolean} off */
export function dismiss(table, off) {
  kept.value = { ...progressAt(table), off };
}

/** Begins from the first leaf. @param {string} table */
export function forget(table) {
  kept.value = { ...NONE, table };
}
