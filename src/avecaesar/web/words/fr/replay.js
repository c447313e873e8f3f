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
  toTable: "À la table",
  race: (number) => `Course ${number}`,
  races: "Les courses",
  course: (course, direction) => `${shell.course(course)} ${shell.directions[direction]}`,
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
  tooLarge: "Ce fichier dépasse 4 Mo, plus qu’un enregistrement ne peut faire.",
  lap: (lap) => (lap === 0 ? "grille" : `tour ${lap}`),
  owes: "doit une pièce",
  noSix: "pas de 6",
  barred: "est en tête, et ne peut pas jouer de 6 maintenant",
  disqualified: "disqualifié",
  riderless: "sans aurige",
  spare: (points) => (points < 0 ? `il en manque ${-points}` : `${points} de réserve`),
  cards: (cards, points) => `${counted(cards, "carte", "cartes")}, ${counted(points, "point", "points")}`,
  handOf: (name) => `Cartes de ${name}`,
  laurels: (laurels) => counted(laurels, "laurier", "lauriers"),
  fate: ({ status, arrival, place }) =>
    status === "home" && (place ?? arrival) ? `arrivé ${ordinal(place ?? arrival ?? 1)}` : (FATES[status] ?? status),
  piles: ["I", "II", "III"],
};
