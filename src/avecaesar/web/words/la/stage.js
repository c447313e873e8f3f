/** Quae circus clamat: momenta certaminis, et quae podium tibi dicit. */
import { counting } from "../plurals.js";

const counted = counting("la");

export default {
  /** @param {string} name */
  pays: (name) => `${name} Caesari solvit`,
  youPay: "Nummus tuus Caesaris est",
  straight: "Iam ad calcem!",
  /** @param {string} name @param {number} spaces */
  straightOf: (name, spaces) => `${name}: ${counted(spaces, "locus restat", "loci restant")}`,
  lit: { reach: "attingi potest", pays: "Caesari solvit", tight: "tum nihil superat" },
  home: "Pervenit!",
  /** @param {string} name @param {string} place */
  comes: (name, place) => `${name}: ${place}`,
  photo: "Imago victoris",
  /** @param {string} name @param {number} turn */
  firstHome: (name, turn) => `${name} primus pervenit, motu ${turn}`,
  /** @param {string} name @param {number} spaces */
  behind: (name, spaces) => `${name}: ${counted(spaces, "locus adhuc restat", "loci adhuc restant")}`,
  /** @param {string} name */
  closeBehind: (name) => `${name} eodem orbe sequitur`,
  youWin: "Certamen tuum est!",
  /** @param {string} place @param {number} rounds @param {string} winner */
  youCome: (place, rounds, winner) =>
    rounds
      ? `Locus tuus: ${place}; post ${winner}: ${counted(rounds, "orbis", "orbes")}`
      : `Locus tuus: ${place}; eodem orbe ac ${winner}`,
  /** @param {number} spaces */
  youStop: (spaces) => `Non pervenisti: ${counted(spaces, "locus restabat", "loci restabant")}`,
  youOwed: "Pervenisti nec solvisti: Caesar nummi non obliviscitur",
  youOut: "Nunc quidem non: exclusus es",
  /** @param {number} turns */
  missed: (turns) => (turns ? `Vices omisisti: ${turns}` : "Vices numquam omisisti"),
  /** @param {number} points */
  left: (points) => `${counted(points, "punctum superest", "puncta supersunt")} in chartis tuis`,
  /** @param {number} points */
  wasted: (points) => (points ? counted(points, "punctum perditum", "puncta perdita") : "nihil perditum"),
  figures: "Numeri, acta, sigillum",
  laurels: "Quodque certamen laureas affert, plures meliori loco. Vincit, qui post ultimum plurimas habet.",
  /** @param {number} laurels */
  youLead: (laurels) => `Ludis praecedis: ${counted(laurels, "laurea", "laureae")}`,
  /** @param {string} place @param {number} laurels @param {string} leader */
  youTrail: (place, laurels, leader) =>
    `Ludis locus tuus: ${place}; ante te ${leader}: ${counted(laurels, "laurea", "laureae")}`,
  youTriumph: "Caesar ipse lauream capiti tuo imponit",
};
