/** Quae mensa verbis dicit, quaeque audit qui auscultat. */
import { counting } from "../plurals.js";
import { roman } from "./roman.js";

const counted = counting("la");

/** @type {typeof import("../en/text.js").default} */
export default {
  inWords: "Mensa verbis narrata",
  drawn: "Mensa picta",
  toQuestion: "Ad mensam",
  raceTitle: "Certamen",
  handEmpty: "Nullas chartas in manu habes.",
  offersTitle: "Quae facere potes",
  refusedTitle: "Quae facere non potes",
  grid: "in carceribus",
  level: "tecum par",
  barred: "praecedit nec senionem nunc ponere potest",
  drawNone: "Nihil sumendum restat.",
  holds: (cards) => `In manu habes ${cards}.`,
  holdsOf: (name, cards) => `${name} in manu habet ${cards}.`,
  drawLeft: (cards) => `Sumendae restant: ${cards}.`,
  under: (cards) => `Sub fasciculo: ${cards}.`,
  lap: (lap) => `spatium ${roman(lap)}`,
  ahead: (points) => `${counted(points, "puncto", "punctis")} ante te`,
  behind: (points) => `${counted(points, "puncto", "punctis")} post te`,
  stock: (cards, points) => `${counted(cards, "charta", "chartae")} cum ${counted(points, "puncto", "punctis")}`,
  spare: (points) => counted(points, "punctum superat", "puncta superant"),
  short: (points) => `${counted(points, "punctum deest", "puncta desunt")}: pervenire iam non potest`,
  more: (name) => `Plura de: ${name}`,
  choose: (count) => `Elige unum ex ${count}, deinde confirma.`,
  refused: (card, why) => `Charta ${card} poni non potest: ${why}`,
  piles: (list) => `Acervi: ${list}.`,
  pile: (roman, words) => `${roman}: ${words}`,
  called: (name) => `${name}, vices tuae: aulaeum demissum est.`,
};
