/** Was der Tisch in Worten sagt, und was hört, wer zuhört. */
import { counting } from "../plurals.js";

const counted = counting("de");

/** @type {typeof import("../en/text.js").default} */
export default {
  inWords: "Der Tisch in Worten",
  drawn: "Der Tisch gezeichnet",
  toQuestion: "Zum Tisch",
  raceTitle: "Das Rennen",
  handEmpty: "Du hast keine Karten auf der Hand.",
  offersTitle: "Was du tun kannst",
  refusedTitle: "Was nicht geht",
  grid: "am Start",
  level: "gleichauf mit dir",
  barred: "führt und darf jetzt keine 6 spielen",
  drawNone: "Nichts mehr zu ziehen.",
  holds: (cards) => `Du hast ${cards} auf der Hand.`,
  holdsOf: (name, cards) => `${name} hat ${cards} auf der Hand.`,
  drawLeft: (cards) => `Noch zu ziehen: ${cards}.`,
  under: (cards) => `Unter dem Deck: ${cards}.`,
  lap: (lap) => `Runde ${lap}`,
  ahead: (points) => `${counted(points, "Punkt", "Punkte")} vor dir`,
  behind: (points) => `${counted(points, "Punkt", "Punkte")} hinter dir`,
  stock: (cards, points) => `${counted(cards, "Karte", "Karten")} mit ${counted(points, "Punkt", "Punkten")}`,
  spare: (points) => `${counted(points, "Punkt", "Punkte")} in Reserve`,
  short: (points) => `${counted(points, "Punkt fehlt", "Punkte fehlen")}: kommt nicht mehr ins Ziel`,
  more: (name) => `Mehr über ${name}`,
  choose: (count) => `Wähl eines von ${count} und bestätige es.`,
  refused: (card, why) => `Die ${card} kann nicht gespielt werden: ${why}`,
  piles: (list) => `Stapel: ${list}.`,
  pile: (roman, words) => `${roman}: ${words}`,
  called: (name) => `${name}, du bist dran: Der Vorhang ist zu.`,
};
