/** Quae atrium dicit. */
import { counting } from "../plurals.js";
import shell from "./shell.js";

const so = counting("la");

/** @type {typeof import("../en/lobby.js").default} */
export default {
  title: "Ave Caesar: certamen quadrigarum",
  headline: "Tria spatia, flexus angusti, nummus Caesari debitus.",
  lead:
    "Chartam pone, totidem locos procede, interiora tene, sequentibus obsta. " +
    "Nihil profitendum est: nomen colorque sufficiunt.",
  you: "Auriga vocaris",
  name: "Nomen tuum",
  namePlaceholder: "nomen tuum",
  nameless: "Nomen nondum habes? Ergo Aulus curris.",
  colour: "Color tuus",
  raceNow: "Statim curre",
  raceNowAbout: "Tu contra tres aurigas machinae",
  laying: "Equi iunguntur…",
  newTable: "Nova mensa",
  newTableAbout: "Amici per nexum aut hic adsidentes; omnis editio, omne curriculum, omnis lex",
  watch: "Certamen specta",
  watchAbout: "Quattuor aurigae machinae, tu in gradibus",
  replay: "Certamen revise",
  replayAbout: "Elige acta post certamen servata",
  refereeing: "Arbiter recognoscit…",
  mine: "Mensae tuae",
  mineEmpty: "Nondum ulla. Certamen a te inceptum hic te exspectat, etiam si paginam claudis.",
  open: "Mensae publicae",
  openEmpty: "Nemo nunc socios exspectat. Pone mensam publicam, et quisquis introspexerit tecum certare poterit.",
  openNew: "Mensam publicam pone",
  asking: "Quis adsit quaeritur…",
  offlineTitle: "Nullus aditus ad ministrum",
  offlineKept: "Quae infra vides fortasse obsoleta sunt.",
  stopped: "Quiescit: ministro clavis chartarum deest",
  yourTurn: "Vices tuae",
  resume: "Perge",
  drive: "Ad quadrigam tuam",
  see: "Vide exitum",
  join: "Accede",
  joining: "Sellam capis…",
  watchTable: "Specta",
  tournament: "ludi",
  on: (course) => `curriculum ${shell.course(course)}`,
  raceOn: (course) => `Certamen in curriculo ${shell.course(course).replace(/um$/, "o")}`,
  aTournament: "Ludi",
  free: (count) => so(count, "sella vacua", "sellae vacuae"),
  phases: { gathering: "initium exspectat", racing: "in cursu", podium: "inter certamina", over: "peractum" },
  freeSeat: "sella vacua",
  older: (count) => `Ostende ${so(count, "mensam vetustiorem", "mensas vetustiores")}`,
};
