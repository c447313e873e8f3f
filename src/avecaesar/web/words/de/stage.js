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
  lit: { reach: "erreichbar", pays: "zahlt an Cäsar", tight: "dann nichts in Reserve" },
  home: "Im Ziel!",
  /** @param {string} name @param {string} place */
  comes: (name, place) => `${name} ist ${place}`,
  photo: "Zielfoto",
  /** @param {string} name @param {number} turn */
  firstHome: (name, turn) => `${name} ist als Erster im Ziel, in Zug ${turn}`,
  /** @param {string} name @param {number} spaces */
  behind: (name, spaces) => `${name} fehlen noch ${counted(spaces, "Feld", "Felder")}`,
  /** @param {string} name */
  closeBehind: (name) => `${name} folgt im selben Durchgang`,
  youWin: "Das Rennen ist dein!",
  /** @param {string} place @param {number} rounds @param {string} winner */
  youCome: (place, rounds, winner) =>
    rounds
      ? `Du bist ${place}, ${counted(rounds, "Durchgang", "Durchgänge")} nach ${winner}`
      : `Du bist ${place}, im selben Durchgang wie ${winner}`,
  /** @param {number} spaces */
  youStop: (spaces) => `Du bist nicht ins Ziel gekommen: ${counted(spaces, "Feld hat", "Felder haben")} gefehlt`,
  youOwed: "Du warst im Ziel, ohne zu zahlen: Cäsar vergisst keine Münze",
  youOut: "Diesmal nicht: Du bist disqualifiziert",
  /** @param {number} turns */
  missed: (turns) => (turns ? `Du hast ${counted(turns, "Zug", "Züge")} ausgesetzt` : "Du hast nie ausgesetzt"),
  /** @param {number} points */
  left: (points) => `${counted(points, "Punkt", "Punkte")} auf deinen Karten übrig`,
  /** @param {number} points */
  wasted: (points) => (points ? counted(points, "Punkt vergeudet", "Punkte vergeudet") : "nichts vergeudet"),
  figures: "Zahlen, Aufzeichnung und Siegel",
  laurels: "Jedes Rennen bringt Lorbeeren, je besser der Platz, desto mehr. Wer nach dem letzten die meisten hat, gewinnt.",
  /** @param {number} laurels */
  youLead: (laurels) => `Du führst im Turnier mit ${counted(laurels, "Lorbeer", "Lorbeeren")}`,
  /** @param {string} place @param {number} laurels @param {string} leader */
  youTrail: (place, laurels, leader) =>
    `Im Turnier bist du ${place}, ${counted(laurels, "Lorbeer", "Lorbeeren")} hinter ${leader}`,
  youTriumph: "Cäsar selbst setzt dir den Lorbeer auf",
};
