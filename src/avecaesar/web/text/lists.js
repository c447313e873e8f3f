/**
 * Lists in words, for the table in words, what is read aloud and wherever several are named: cards, places, what is held.
 * @module
 * @import * as t from "../lib/types.js"
 */
import { language } from "../lib/words.js";
import words from "../words/table.js";
import text from "../words/text.js";

const lists = new Intl.ListFormat(language === "la" ? "en" : language === "en" ? "en-GB" : language);

/** "2, 3 and 6"; browsers do not know Latin, whose lists have commas only. @param {(string | number)[]} parts */
export const listed = (parts) =>
  language === "la" ? parts.join(", ") : lists.format(parts.map((part) => String(part)));

/** "2 × 1, 3 × 4", of how many cards of each value there are. @param {number[]} counts */
export const counted = (counts) =>
  counts.flatMap((count, i) => (count ? [words.value.many(count, i + 1).replaceAll(" ", "\u00a0")] : [])).join(", ");

/** What a seat holds; of who has several chariots, which one does. @param {t.TableShown} shown @param {t.HandShown} hand */
export function holds(shown, hand) {
  const name = shown.race?.chariots[hand.chariot]?.name ?? "";
  if (!hand.cards.length) return text.handEmpty;
  return shown.hands.length > 1 ? text.holdsOf(name, listed(hand.cards)) : text.holds(listed(hand.cards));
}
