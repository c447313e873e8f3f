/** Ce que crie le cirque : les moments d’une course, et ce que le podium te dit. */
import { counting } from "../plurals.js";

const counted = counting("fr");

export default {
  /** @param {string} name */
  pays: (name) => `${name} paie César`,
  youPay: "Ta pièce est à César",
  straight: "Dernière ligne droite !",
  /** @param {string} name @param {number} spaces */
  straightOf: (name, spaces) => `Plus que ${counted(spaces, "case", "cases")} pour ${name}`,
  photo: "Photo d’arrivée",
  /** @param {string} name @param {number} turn */
  firstHome: (name, turn) => `${name} arrive premier, au coup ${turn}`,
  /** @param {string} name @param {number} spaces */
  behind: (name, spaces) => `Encore ${counted(spaces, "case", "cases")} pour ${name}`,
  nobodyBehind: "Plus personne derrière le vainqueur",
  youWin: "La course est à toi !",
  /** @param {string} place @param {number} turns @param {string} winner */
  youCome: (place, turns, winner) => `Tu es ${place}, ${counted(turns, "coup", "coups")} après ${winner}`,
  /** @param {number} spaces */
  youStop: (spaces) => `Tu n’es pas arrivé : il restait ${counted(spaces, "case", "cases")}`,
  youOwed: "Tu es arrivé sans payer : César n’oublie pas une pièce",
  youOut: "Pas cette fois : tu es disqualifié",
  /** @param {number} turns */
  missed: (turns) => (turns ? `Tu as passé ${counted(turns, "tour", "tours")}` : "Tu n’as jamais passé ton tour"),
  /** @param {number} points */
  left: (points) => `${counted(points, "point restant", "points restants")} sur tes cartes`,
  /** @param {number} laurels */
  youLead: (laurels) => `Tu es en tête du tournoi avec ${counted(laurels, "laurier", "lauriers")}`,
  /** @param {string} place @param {number} laurels @param {string} leader */
  youTrail: (place, laurels, leader) =>
    `Au tournoi, tu es ${place}, à ${counted(laurels, "laurier", "lauriers")} de ${leader}`,
  youTriumph: "César en personne te couronne de lauriers",
};
