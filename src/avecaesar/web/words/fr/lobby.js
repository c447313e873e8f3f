/** Ce que dit l’atrium. */
import { counting } from "../plurals.js";
import shell from "./shell.js";

const so = counting("fr");

/** @type {typeof import("../en/lobby.js").default} */
export default {
  title: "Ave Caesar : une course de chars",
  headline: "Trois tours, des virages serrés et une pièce due à César.",
  lead:
    "Joue une carte, avance d’autant exactement, tiens la corde et barre la route à qui te suit. " +
    "Pas de compte : un nom et une couleur suffisent.",
  you: "Tu cours sous le nom de",
  name: "Ton nom",
  namePlaceholder: "ton nom",
  nameless: "Pas encore de nom ? Alors tu cours sous celui d’Aulus.",
  colour: "Ta couleur",
  raceNow: "Courir tout de suite",
  raceNowAbout: "Toi contre trois auriges de l’ordinateur",
  laying: "On attelle les chevaux…",
  newTable: "Nouvelle table",
  newTableAbout: "Des amis par lien ou à cet écran ; toute édition, tout parcours, toute règle",
  watch: "Regarder une course",
  watchAbout: "Quatre auriges de l’ordinateur, et toi dans les gradins",
  replay: "Revoir une course",
  replayAbout: "Choisis un fichier enregistré après une course",
  refereeing: "L’arbitre la refait courir…",
  mine: "Tes tables",
  mineEmpty: "Aucune encore. Une course commencée t’attend ici, même si tu fermes la page.",
  open: "Tables ouvertes",
  openEmpty: "Personne n’attend de compagnons. Prépare une table ouverte : qui passe par ici pourra te rejoindre.",
  openNew: "Préparer une table ouverte",
  asking: "Voyons qui est là…",
  offlineTitle: "Pas de ligne vers le serveur",
  offlineKept: "Ce que tu vois plus bas est peut-être dépassé.",
  stopped: "En repos : la clé des cartes manque au serveur",
  yourTurn: "À toi de jouer",
  resume: "Reprendre",
  drive: "À ton char",
  see: "Voir la fin",
  join: "Rejoindre",
  joining: "Tu prends place…",
  watchTable: "Regarder",
  tournament: "tournoi",
  on: (course) => `parcours ${shell.course(course)}`,
  raceOn: (course) => `Une course sur le parcours ${shell.course(course)}`,
  aTournament: "Un tournoi",
  free: (count) => so(count, "place libre", "places libres"),
  phases: { gathering: "attend le départ", racing: "en course", podium: "entre deux courses", over: "terminée" },
  freeSeat: "place libre",
  older: (count) => `Montrer ${so(count, "table plus ancienne", "tables plus anciennes")}`,
};
