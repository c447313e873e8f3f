/**
 * Short notices at the edge of the page, read out by screen readers; they go by themselves.
 * @module
 */
import { signal } from "./html.js";

/** @typedef {{ key: number, words: string, kind: "news" | "trouble" }} Notice */

/** The notices that stand now, the oldest first. */
export const notices = signal(/** @type {Notice[]} */ ([]));

let last = 0;

/**
 * Shows a notice.
 * @param {string} words
 * @param {Notice["kind"]} [kind]
 */
export function notify(words, kind = "news") {
  last += 1;
  const key = last;
  notices.value = [...notices.value.filter((notice) => notice.words !== words), { key, words, kind }].slice(-3);
  setTimeout(() => dismiss(key), kind === "trouble" ? 9000 : 5000);
}

/** @param {number} key */
export function dismiss(key) {
  notices.value = notices.value.filter((notice) => notice.key !== key);
}
