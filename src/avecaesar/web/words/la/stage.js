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
  photo: "Imago victoris",
  /** @param {string} name @param {number} turn */
  firstHome: (name, turn) => `${name} primus pervenit, motu ${turn}`,
  /** @param {string} name @param {number} spaces */
  behind: (name, spaces) => `${name}: ${counted(spaces, "locus adhuc restat", "loci adhuc restant")}`,
  nobodyBehind: "Nemo post victorem restat",
  youWin: "Certamen tuum est!",
  /** @param {string} place @param {number} turns @param {string} winner */
  youCome: (place, turns, winner) => `Locus tuus: ${place}; post ${winner}: ${counted(turns, "motus", "motus")}`,
  /** @param {number} spaces */
  youStop: (spaces) => `Non pervenisti: ${counted(spaces, "locus restabat", "loci restabant")}`,
  youOwed: "Pervenisti nec solvisti: Caesar nummi non obliviscitur",
  youOut: "Nunc quidem non: exclusus es",
  /** @param {number} turns */
  missed: (turns) => (turns ? `Vices omisisti: ${turns}` : "Vices numquam omisisti"),
  /** @param {number} points */
  left: (points) => `${counted(points, "punctum superest", "puncta supersunt")} in chartis tuis`,
  /** @param {number} laurels */
  youLead: (laurels) => `Ludis praecedis: ${counted(laurels, "laurea", "laureae")}`,
  /** @param {string} place @param {number} laurels @param {string} leader */
  youTrail: (place, laurels, leader) =>
    `Ludis locus tuus: ${place}; ante te ${leader}: ${counted(laurels, "laurea", "laureae")}`,
  youTriumph: "Caesar ipse lauream capiti tuo imponit",
};
