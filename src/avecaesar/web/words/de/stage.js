/** Was der Zirkus ruft: Augenblicke eines Rennens, und was das Podest dir sagt. */
import { counting } from "../plurals.js";

const counted = counting("de");

export default {
  /** @param {string} name */
  pays: (name) => `${name} zahlt an Cäsar`,
  youPay: "Deine Münze gehört Cäsar",
  straight: "Die Zielgerade!",
  /** @param {string} name @param {number} spaces */
  straightOf: (name, spaces) => `${name} hat noch ${counted(spaces, "Feld", "Felder")} vor sich`,
  photo: "Zielfoto",
  /** @param {string} name @param {number} turn */
  firstHome: (name, turn) => `${name} ist als Erster im Ziel, in Zug ${turn}`,
  /** @param {string} name @param {number} spaces */
  behind: (name, spaces) => `${name} fehlen noch ${counted(spaces, "Feld", "Felder")}`,
  nobodyBehind: "Hinter dem Sieger ist niemand mehr",
  youWin: "Das Rennen ist dein!",
  /** @param {string} place @param {number} turns @param {string} winner */
  youCome: (place, turns, winner) => `Du bist ${place}, ${counted(turns, "Zug", "Züge")} nach ${winner}`,
  /** @param {number} spaces */
  youStop: (spaces) => `Du bist nicht ins Ziel gekommen: ${counted(spaces, "Feld hat", "Felder haben")} gefehlt`,
  youOwed: "Du warst im Ziel, ohne zu zahlen: Cäsar vergisst keine Münze",
  youOut: "Diesmal nicht: Du bist disqualifiziert",
  /** @param {number} turns */
  missed: (turns) => (turns ? `Du hast ${counted(turns, "Zug", "Züge")} ausgesetzt` : "Du hast nie ausgesetzt"),
  /** @param {number} points */
  left: (points) => `${counted(points, "Punkt", "Punkte")} auf deinen Karten übrig`,
  /** @param {number} laurels */
  youLead: (laurels) => `Du führst im Turnier mit ${counted(laurels, "Lorbeer", "Lorbeeren")}`,
  /** @param {string} place @param {number} laurels @param {string} leader */
  youTrail: (place, laurels, leader) =>
    `Im Turnier bist du ${place}, ${counted(laurels, "Lorbeer", "Lorbeeren")} hinter ${leader}`,
  youTriumph: "Cäsar selbst setzt dir den Lorbeer auf",
};
