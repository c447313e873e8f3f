/** What the table in words says, and what is said to who listens. */
import { counting } from "../plurals.js";

const counted = counting("en");

export default {
  inWords: "The table in words",
  drawn: "The table drawn",
  toQuestion: "To the table",
  raceTitle: "The race",
  handEmpty: "You hold no cards.",
  offersTitle: "What you can do",
  refusedTitle: "What you cannot do",
  grid: "on the grid",
  level: "level with you",
  barred: "leads and may not play a 6 now",
  drawNone: "Nothing left to draw.",
  /** @param {string} cards */
  holds: (cards) => `You hold ${cards}.`,
  /** @param {string} name @param {string} cards */
  holdsOf: (name, cards) => `${name} holds ${cards}.`,
  /** @param {string} cards */
  drawLeft: (cards) => `Still to draw: ${cards}.`,
  /** @param {string} cards */
  under: (cards) => `Under the deck: ${cards}.`,
  /** @param {number} lap */
  lap: (lap) => `lap ${lap}`,
  /** @param {number} points */
  ahead: (points) => `${counted(points, "point", "points")} ahead of you`,
  /** @param {number} points */
  behind: (points) => `${counted(points, "point", "points")} behind you`,
  /** @param {number} cards @param {number} points */
  stock: (cards, points) => `${counted(cards, "card", "cards")} with ${counted(points, "point", "points")}`,
  /** @param {number} points */
  spare: (points) => `${counted(points, "point", "points")} to spare`,
  /** @param {number} points */
  short: (points) => `${counted(points, "point", "points")} short: cannot get home`,
  /** @param {string} name */
  more: (name) => `More about ${name}`,
  /** @param {number} count */
  choose: (count) => `Choose one of ${count}, then confirm it.`,
  /** @param {number} card @param {string} why */
  refused: (card, why) => `The ${card} cannot be played: ${why}`,
  /** @param {string} list */
  piles: (list) => `Piles: ${list}.`,
  /** @param {string} roman @param {string} words */
  pile: (roman, words) => `${roman}: ${words}`,
  /** @param {string} name */
  called: (name) => `${name}, it is your turn: the curtain is down.`,
};
