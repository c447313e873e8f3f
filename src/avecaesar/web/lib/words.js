/**
 * Every text of the page, by page. What the server says in words (problems, moves, menus) is not here.
 * @module
 */
import lobby from "../words/lobby.js";
import plan from "../words/new.js";
import shell from "../words/shell.js";

export const words = { shell, lobby, plan };

const LANGUAGE = "en";
const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "auto" });
const list = new Intl.ListFormat(LANGUAGE, { type: "conjunction" });

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/**
 * How long ago something was: "5 minutes ago".
 * @param {number} at seconds since 1970
 * @param {number} [now]
 * @returns {string}
 */
export function ago(at, now = Date.now() / 1000) {
  for (const [unit, seconds] of UNITS) {
    if (now - at >= seconds) return relative.format(-Math.floor((now - at) / seconds), unit);
  }
  return shell.justNow;
}

/**
 * Several things in one: "a, b and c".
 * @param {string[]} things
 * @returns {string}
 */
export function together(things) {
  return list.format(things);
}
