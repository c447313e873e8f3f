/** Ce que dit la table en mots, et ce qu’entend qui écoute. */
import { counting } from "../plurals.js";

const counted = counting("fr");

/** @type {typeof import("../en/text.js").default} */
export default {
  inWords: "La table en mots",
  drawn: "La table dessinée",
  toQuestion: "Vers la table",
  raceTitle: "La course",
  handEmpty: "Tu n’as pas de cartes en main.",
  offersTitle: "Ce que tu peux faire",
  refusedTitle: "Ce qui n’est pas permis",
  grid: "sur la grille de départ",
  level: "à ta hauteur",
  barred: "est en tête et ne peut pas jouer de 6 maintenant",
  drawNone: "Plus rien à piocher.",
  holds: (cards) => `Tu as en main ${cards}.`,
  holdsOf: (name, cards) => `${name} a en main ${cards}.`,
  drawLeft: (cards) => `Encore à piocher : ${cards}.`,
  under: (cards) => `Sous le paquet : ${cards}.`,
  lap: (lap) => `tour ${lap}`,
  ahead: (points) => `${counted(points, "point", "points")} devant toi`,
  behind: (points) => `${counted(points, "point", "points")} derrière toi`,
  stock: (cards, points) => `${counted(cards, "carte", "cartes")} valant ${counted(points, "point", "points")}`,
  spare: (points) => `${counted(points, "point", "points")} de réserve`,
  short: (points) => `il manque ${counted(points, "point", "points")} : ne peut plus arriver au bout`,
  more: (name) => `Plus sur ${name}`,
  choose: (count) => `Choisis parmi ${count}, puis confirme.`,
  refused: (card, why) => `Le ${card} ne peut pas être joué : ${why}`,
  piles: (list) => `Piles : ${list}.`,
  pile: (roman, words) => `${roman} : ${words}`,
  called: (name) => `${name}, à toi de jouer : le rideau est baissé.`,
};
