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
  photo: "Fotofinish",
  /** @param {string} name @param {number} turn */
  firstHome: (name, turn) => `${name} è all’arrivo per primo, al turno ${turn}`,
  /** @param {string} name @param {number} spaces */
  behind: (name, spaces) => `A ${name} ${spaces === 1 ? "manca" : "mancano"} ancora ${counted(spaces, "casella", "caselle")}`,
  nobodyBehind: "Dietro il vincitore non c’è più nessuno",
  youWin: "La corsa è tua!",
  /** @param {string} place @param {number} turns @param {string} winner */
  youCome: (place, turns, winner) => `Sei ${place}, ${counted(turns, "turno", "turni")} dopo ${winner}`,
  /** @param {number} spaces */
  youStop: (spaces) => `Non sei arrivato: ${spaces === 1 ? "mancava" : "mancavano"} ${counted(spaces, "casella", "caselle")}`,
  youOwed: "Sei arrivato senza pagare: Cesare non dimentica una moneta",
  youOut: "Non questa volta: sei squalificato",
  /** @param {number} turns */
  missed: (turns) => (turns ? `Hai saltato ${counted(turns, "turno", "turni")}` : "Non hai mai saltato il turno"),
  /** @param {number} points */
  left: (points) => `${counted(points, "punto rimasto", "punti rimasti")} sulle tue carte`,
  /** @param {number} laurels */
  youLead: (laurels) => `Sei in testa al torneo con ${counted(laurels, "alloro", "allori")}`,
  /** @param {string} place @param {number} laurels @param {string} leader */
  youTrail: (place, laurels, leader) =>
    `Nel torneo sei ${place}, a ${counted(laurels, "alloro", "allori")} da ${leader}`,
  youTriumph: "Cesare in persona ti posa l’alloro sul capo",
};
