/** Ce que dit la rediffusion. */
import { counting } from "../plurals.js";
import shell from "./shell.js";

const counted = counting("fr");
/** @param {number} place */
const ordinal = (place) => (place === 1 ? "1er" : `${place}e`);
/** @type {Record<string, string>} */
const FATES = { home: "arrivé", "out of cards": "à court de cartes", crashed: "accidenté", withdrawn: "retiré", racing: "en course" };

/** @type {typeof import("../en/replay.js").default} */
export default {
  pageTitle: (title) => `${title} · rediffusion`,
  loading: "L’arbitre refait courir la course…",
  lostTitle: "Pas de course à voir ici",
  toTable: "Au podium",
  ways: "La course ailleurs",
  race: (number) => `Course ${number}`,
  races: "Les courses",
  course: (course, direction) => `Parcours ${shell.course(course)}, ${shell.directions[direction]}`,
  sealed: "cartes loyales",
  sealedAbout: "Les cartes étaient scellées avant la course, et l’arbitre les a redistribuées d’après le sceau ouvert.",
  board: "Le plateau",
  first: "À la grille de départ",
  back: "Un coup en arrière",
  play: "Lecture",
  pause: "Suspendre",
  forward: "Un coup en avant",
  last: "À la fin",
  before: "À l’événement précédent",
  after: "À l’événement suivant",
  turn: "Coup",
  at: (at, last) => (at === 0 ? "La grille" : `Coup ${at} sur ${last}`),
  speed: "Vitesse",
  speeds: { 0.5: "½×", 1: "1×", 2: "2×", 4: "4×", 10: "10×" },
  hands: "Les mains",
  notation: "La notation",
  drivers: "Auriges",
  log: "La course",
  moments: "Événements",
  standings: "Classement",
  grid: "Les chars sont sur la grille de départ.",
  summary: "Quelle course !",
  copy: "Lien vers ce moment",
  copied: "Le lien est copié.",
  copyThis: "Voici le lien :",
  download: "Enregistrement",
  downloadText: "En texte",
  downloadAbout: "Télécharger l’enregistrement : le fichier peut être vérifié et revu partout",
  upload: "Un autre enregistrement",
  uploading: "L’arbitre la refait courir…",
  lap: (lap) => (lap === 0 ? "grille" : `tour ${["I", "II", "III"][lap - 1]}`),
  owes: "doit une pièce",
  noSix: "6 interdit",
  barred: "est en tête, et ne peut pas jouer de 6 maintenant",
  disqualified: "disqualifié",
  riderless: "sans aurige",
  spare: (points) => (points < 0 ? `il en manque ${-points}` : `${points} de réserve`),
  cards: (cards, points) => `${counted(cards, "carte", "cartes")}, ${counted(points, "point", "points")}`,
  handOf: (name) => `Cartes de ${name}`,
  laurels: (laurels) => counted(laurels, "laurier", "lauriers"),
  fate: ({ status, arrival, place }) =>
    status === "home" && (place ?? arrival) ? `arrivé ${ordinal(place ?? arrival ?? 1)}` : (FATES[status] ?? status),
  by: { "stand-in": "remplaçant", clock: "temps écoulé" },
  piles: ["I", "II", "III"],
};
