/** Quel che grida il circo: i momenti di una corsa, e quel che il podio dice a te. */
import { counting } from "../plurals.js";

const counted = counting("it");

export default {
  /** @param {string} name */
  pays: (name) => `${name} paga Cesare`,
  youPay: "La tua moneta è di Cesare",
  straight: "Ultimo rettilineo!",
  /** @param {string} name @param {number} spaces */
  straightOf: (name, spaces) => `A ${name} manca ancora poco: ${counted(spaces, "casella", "caselle")}`,
  lit: { reach: "raggiungibile", pays: "paga Cesare", tight: "poi nessun punto di scorta" },
  home: "Arrivo!",
  /** @param {string} name @param {string} place */
  comes: (name, place) => `${name} è ${place}`,
  photo: "Fotofinish",
  /** @param {string} name @param {number} turn */
  firstHome: (name, turn) => `${name} è all’arrivo per primo, al turno ${turn}`,
  /** @param {string} name @param {number} spaces */
  behind: (name, spaces) => `A ${name} ${spaces === 1 ? "manca" : "mancano"} ancora ${counted(spaces, "casella", "caselle")}`,
  /** @param {string} name */
  closeBehind: (name) => `${name} segue nella stessa tornata`,
  youWin: "La corsa è tua!",
  /** @param {string} place @param {number} rounds @param {string} winner */
  youCome: (place, rounds, winner) =>
    rounds
      ? `Sei ${place}, ${counted(rounds, "tornata", "tornate")} dopo ${winner}`
      : `Sei ${place}, nella stessa tornata di ${winner}`,
  /** @param {number} spaces */
  youStop: (spaces) => `Non sei arrivato: ${spaces === 1 ? "mancava" : "mancavano"} ${counted(spaces, "casella", "caselle")}`,
  youOwed: "Sei arrivato senza pagare: Cesare non dimentica una moneta",
  youOut: "Non questa volta: sei squalificato",
  /** @param {number} turns */
  missed: (turns) => (turns ? `Hai saltato ${counted(turns, "turno", "turni")}` : "Non hai mai saltato il turno"),
  /** @param {number} points */
  left: (points) => `${counted(points, "punto rimasto", "punti rimasti")} sulle tue carte`,
  /** @param {number} points */
  wasted: (points) => (points ? counted(points, "punto sprecato", "punti sprecati") : "nessun punto sprecato"),
  figures: "Cifre, registrazione e sigillo",
  laurels: "Ogni corsa porta allori, tanti di più quanto migliore è il posto. Chi ne ha di più dopo l’ultima corsa vince.",
  /** @param {number} laurels */
  youLead: (laurels) => `Sei in testa al torneo con ${counted(laurels, "alloro", "allori")}`,
  /** @param {string} place @param {number} laurels @param {string} leader */
  youTrail: (place, laurels, leader) =>
    `Nel torneo sei ${place}, a ${counted(laurels, "alloro", "allori")} da ${leader}`,
  youTriumph: "Cesare in persona ti posa l’alloro sul capo",
};
