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
  lit: { reach: "à portée", pays: "paie César", tight: "ensuite plus de réserve" },
  home: "Arrivée !",
  /** @param {string} name @param {string} place */
  comes: (name, place) => `${name} est ${place}`,
  photo: "Photo d’arrivée",
  /** @param {string} name @param {number} turn */
  firstHome: (name, turn) => `${name} arrive premier, au coup ${turn}`,
  /** @param {string} name @param {number} spaces */
  behind: (name, spaces) => `Encore ${counted(spaces, "case", "cases")} pour ${name}`,
  /** @param {string} name */
  closeBehind: (name) => `${name} suit dans la même ronde`,
  youWin: "La course est à toi !",
  /** @param {string} place @param {number} rounds @param {string} winner */
  youCome: (place, rounds, winner) =>
    rounds
      ? `Tu es ${place}, ${counted(rounds, "ronde", "rondes")} après ${winner}`
      : `Tu es ${place}, dans la même ronde que ${winner}`,
  /** @param {number} spaces */
  youStop: (spaces) => `Tu n’es pas arrivé : il restait ${counted(spaces, "case", "cases")}`,
  youOwed: "Tu es arrivé sans payer : César n’oublie pas une pièce",
  youOut: "Pas cette fois : tu es disqualifié",
  /** @param {number} turns */
  missed: (turns) => (turns ? `Tu as passé ${counted(turns, "tour", "tours")}` : "Tu n’as jamais passé ton tour"),
  /** @param {number} points */
  left: (points) => `${counted(points, "point restant", "points restants")} sur tes cartes`,
  /** @param {number} points */
  wasted: (points) => (points ? counted(points, "point perdu", "points perdus") : "aucun point perdu"),
  figures: "Chiffres, enregistrement et sceau",
  laurels: "Chaque course rapporte des lauriers, d’autant plus que la place est bonne. Qui en a le plus après la dernière gagne.",
  /** @param {number} laurels */
  youLead: (laurels) => `Tu es en tête du tournoi avec ${counted(laurels, "laurier", "lauriers")}`,
  /** @param {string} place @param {number} laurels @param {string} leader */
  youTrail: (place, laurels, leader) =>
    `Au tournoi, tu es ${place}, à ${counted(laurels, "laurier", "lauriers")} de ${leader}`,
  youTriumph: "César en personne te couronne de lauriers",
};
