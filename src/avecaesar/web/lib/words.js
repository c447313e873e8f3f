/**
 * Every text of the page, in the reader's language. What the server says in words (problems, moves, menus) is not here.
 * A language is a folder of `words/`, and only the chosen one is loaded. The texts that several pages share are in
 * `words`; a page with many of its own loads them with itself: `words/table.js` is the pattern.
 * @module
 */
import { remembered } from "./prefs.js";

/** The languages that there are, each by its own name. */
export const LANGUAGES = { en: "English", it: "Italiano", fr: "Français", de: "Deutsch", la: "Latina" };

/** @typedef {keyof typeof LANGUAGES} Language */

/** @param {unknown} name @returns {name is Language} */
const isLanguage = (name) => typeof name === "string" && Object.hasOwn(LANGUAGES, name);

/** What the reader has chosen; empty: what the browser prefers. */
const chosen = remembered("language", /** @type {Language | ""} */ (""), isLanguage);

/** The language of this page, as long as it is open. @type {Language} */
export const language =
  [chosen.peek(), ...navigator.languages.map((wish) => wish.split("-")[0])].find(isLanguage) ?? "en";

/**
 * Speaks another language from now on. The page is loaded again where it is: what was acknowledged is the server's.
 * @param {Language} wish
 */
export function speak(wish) {
  chosen.value = wish;
  location.reload();
}

/**
 * The texts of a page in the reader's language.
 * @param {string} page a file of `words/en`
 * @returns {Promise<any>}
 */
export async function spoken(page) {
  return (await import(`../words/${language}/${page}.js`)).default;
}

const [shell, lobby, plan] = await Promise.all([spoken("shell"), spoken("lobby"), spoken("new")]);

/**
 * @type {{
 *   shell: typeof import("../words/en/shell.js").default,
 *   lobby: typeof import("../words/en/lobby.js").default,
 *   plan: typeof import("../words/en/new.js").default,
 * }}
 */
export const words = { shell, lobby, plan };

/** @type {["minute" | "hour" | "day", number][]} */
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
    if (now - at >= seconds) return words.shell.ago(Math.floor((now - at) / seconds), unit);
  }
  return words.shell.justNow;
}

/** Browsers do not know Latin: its dates are in figures. */
const dates = new Intl.DateTimeFormat(language === "la" ? "de" : language === "en" ? "en-GB" : language, {
  dateStyle: language === "la" ? "medium" : "long",
});

/** A day: "14 February 2027". @param {number} at seconds since 1970 @returns {string} */
export const date = (at) => dates.format(at * 1000);
