/** Che cosa dice il tavolo a parole, e che cosa sente chi ascolta. */
import { counting } from "../plurals.js";

const counted = counting("it");

/** @type {typeof import("../en/text.js").default} */
export default {
  inWords: "Il tavolo a parole",
  drawn: "Il tavolo disegnato",
  toQuestion: "Al tavolo",
  raceTitle: "La corsa",
  handEmpty: "Non hai carte in mano.",
  offersTitle: "Che cosa puoi fare",
  refusedTitle: "Che cosa non puoi fare",
  grid: "sulla griglia",
  level: "alla tua altezza",
  barred: "è in testa e ora non può giocare un 6",
  drawNone: "Niente più da pescare.",
  holds: (cards) => `Hai in mano ${cards}.`,
  holdsOf: (name, cards) => `${name} ha in mano ${cards}.`,
  drawLeft: (cards) => `Ancora da pescare: ${cards}.`,
  under: (cards) => `Sotto il mazzo: ${cards}.`,
  lap: (lap) => `giro ${lap}`,
  ahead: (points) => `${counted(points, "punto", "punti")} davanti a te`,
  behind: (points) => `${counted(points, "punto", "punti")} dietro di te`,
  stock: (cards, points) => `${counted(cards, "carta", "carte")} con ${counted(points, "punto", "punti")}`,
  spare: (points) => `${counted(points, "punto", "punti")} di scorta`,
  short: (points) => `${counted(points, "punto che manca", "punti che mancano")}: non può più arrivare al traguardo`,
  more: (name) => `Altro su ${name}`,
  choose: (count) => `Scegli tra ${count}, poi conferma.`,
  refused: (card, why) => `Il ${card} non si può giocare: ${why}`,
  piles: (list) => `Pile: ${list}.`,
  pile: (roman, words) => `${roman}: ${words}`,
  called: (name) => `${name}, tocca a te: il sipario è calato.`,
};
