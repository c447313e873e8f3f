/** Quae dicit certamen iterum spectatum. */
import { counting } from "../plurals.js";
import { roman } from "./roman.js";
import shell from "./shell.js";

const counted = counting("la");
/** @type {Record<string, string>} */
const FATES = {
  home: "pervenit",
  "out of cards": "sine chartis",
  crashed: "naufragium fecit",
  withdrawn: "recessit",
  racing: "in cursu",
};

/** @type {typeof import("../en/replay.js").default} */
export default {
  pageTitle: (title) => `${title} · iterum`,
  loading: "Arbiter certamen recognoscit…",
  lostTitle: "Hic nullum certamen spectandum est",
  toTable: "Ad podium",
  ways: "Certamen alibi",
  race: (number) => `Certamen ${roman(number)}`,
  races: "Certamina",
  course: (course, direction) => `Curriculum ${shell.course(course)}, ${shell.directions[direction]}`,
  sealed: "chartae probae",
  sealedAbout: "Chartae ante certamen obsignatae erant, et arbiter eas ex aperto sigillo iterum distribuit.",
  board: "Tabula",
  first: "Ad carceres",
  back: "Uno motu retro",
  play: "Age",
  pause: "Siste",
  forward: "Uno motu porro",
  last: "Ad finem",
  before: "Ad rem priorem",
  after: "Ad rem proximam",
  turn: "Motus",
  at: (at, last) => (at === 0 ? "Carceres" : `Motus ${at} ex ${last}`),
  speed: "Celeritas",
  speeds: { 0.5: "½×", 1: "1×", 2: "2×", 4: "4×", 10: "10×" },
  hands: "Manus",
  notation: "Notae",
  drivers: "Aurigae",
  log: "Certamen",
  moments: "Res notabiles",
  standings: "Ordo victorum",
  grid: "Quadrigae in carceribus stant.",
  summary: "Quale certamen fuerit",
  copy: "Nexus ad hoc momentum",
  copied: "Nexus descriptus est.",
  copyThis: "Ecce nexus:",
  download: "Acta",
  downloadText: "Litteris scripta",
  downloadAbout: "Acta accipe: ubique probari et spectari possunt",
  upload: "Alia acta",
  uploading: "Arbiter recognoscit…",
  lap: (lap) => (lap === 0 ? "carceres" : `spatium ${roman(lap)}`),
  owes: "nummum debet",
  noSix: "VI vetatur",
  barred: "praecedit, nec senionem nunc ponere potest",
  disqualified: "exclusus",
  riderless: "sine auriga",
  spare: (points) =>
    points < 0 ? `${points === -1 ? "deest" : "desunt"} ${-points}` : `${points === 1 ? "superat" : "superant"} ${points}`,
  cards: (cards, points) => `${counted(cards, "charta", "chartae")}, ${counted(points, "punctum", "puncta")}`,
  handOf: (name) => `Chartae: ${name}`,
  laurels: (laurels) => counted(laurels, "laurea", "laureae"),
  fate: ({ status, arrival, place }) =>
    status === "home" && (place ?? arrival) ? `pervenit ${roman(place ?? arrival ?? 1)}` : (FATES[status] ?? status),
  by: { "stand-in": "vicarius", clock: "tempus exiit" },
  piles: ["I", "II", "III"],
};
