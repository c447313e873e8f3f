/** Quae pagina ubique dicit. */
import { counting } from "../plurals.js";

const so = counting("la");
/** @type {Record<string, [string, string]>} */
const UNITS = { minute: ["minutam", "minutas"], hour: ["horam", "horas"], day: ["diem", "dies"] };
/** @type {Record<string, string>} */
const COURSES = { white: "album", blue: "caeruleum", yellow: "flavum", red: "rubrum" };

/** @type {typeof import("../en/shell.js").default} */
export default {
  name: "Ave Caesar",
  skip: "Ad rem ipsam",
  home: "Ave Caesar: ad atrium",
  ago: (count, unit) => (unit === "day" && count === 1 ? "heri" : `abhinc ${so(count, ...(UNITS[unit] ?? [unit, unit]))}`),
  justNow: "modo",
  unreachable: "Minister non respondet. Vigilatne?",
  offlineTitle: "Portae clausae sunt",
  offlineWords:
    "Minister nunc non respondet. Mensae tuae apud eum salvae sunt; haec pagina sua sponte perget, simul ac respondebit.",
  unexpected: "Aliquid in hac pagina male cessit. Plerumque prodest eam iterum aperire.",
  answered: (status) => `Minister respondere non potuit (${status}).`,
  lineClosed: "Mensa relicta est.",
  lineRefused: "Minister aditum ad hanc mensam clausit.",
  loading: "Paulisper mane…",
  tryAgain: "Iterum tempta",
  reload: "Paginam iterum aperi",
  toLobby: "Ad atrium",
  tooLarge: "Hoc documentum maius est quam 4 MB, maius quam hic accipitur.",
  brokenTitle: "Rota excidit",
  brokenWords: "Haec pagina fracta est. Certamen sine ea pergit, nec quicquam periit.",
  nowhereTitle: "Hic locus in circo non est",
  nowhereWords: "Nihil hic invenitur. Fortasse nexus praecisus est.",
  rules: "Leges",
  language: "Lingua",
  theme: { auto: "ut machina vult", light: "clara", dark: "obscura" },
  themeButton: (now) => `Lux clara aut obscura, nunc: ${now}`,
  soundOn: "Sonus auditur",
  soundOff: "Sonus silet",
  dismiss: "Claude",
  footer: "Ludus quem Wolfgang Riedesser invenit, sine auctoritate publica redditus. Tabulae et picturae nostrae sunt.",
  manual: "Automata scribentibus",
  privacy: "Secreta tua",
  colours: {
    red: "russatus",
    blue: "venetus",
    green: "prasinus",
    yellow: "flavus",
    white: "albatus",
    black: "niger",
  },
  course: (name) => COURSES[name] ?? name,
  directions: { clockwise: "dextrorsum", anticlockwise: "sinistrorsum" },
};
