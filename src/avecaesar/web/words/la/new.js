/** Quae forma novae mensae dicit. */
import { capital, counting } from "../plurals.js";
import { roman } from "./roman.js";
import shell from "./shell.js";

const so = counting("la");

/** "5 minutae" becomes "5 minutas". @param {string} time */
const accusative = (time) => time.replace(/ae$/, "as").replace(/a$/, "am").replace(/1 dies$/, "1 diem");

/** @type {typeof import("../en/new.js").default} */
export default {
  title: "Nova mensa: Ave Caesar",
  headline: "Nova mensa",
  lead: "Mensam elige et incipe.",

  readyTables: "Ad currendum parata",
  details: "Aliquid muta",
  ready: {
    quick: { title: "Certamen velox contra machinam", about: "Tu et tres aurigae machinae; statim incipit" },
    friends: { title: "Cum amicis per nexum", about: "Duo amici, ubicumque sunt, et unus auriga machinae" },
    screen: { title: "Circa unum vitrum", about: "Tres homines ante unum vitrum: velum singulas manus tegit" },
    ausgebremst: { about: "Fasciculi eligendi, tres acervi, duae chartae in manu: curritur ut in alio ludo" },
    tournament: { title: "Ludi", about: "Iidem aurigae, aliud certamen post aliud, pro laureis" },
    open: { title: "Mensa aperta", about: "Omnibus qui atrium intrant" },
  },

  seats: "Qui certant",
  seat: (number) => `Sella ${roman(number)}`,
  who: "Quis",
  kinds: { here: "Hic adsidens", friend: "Amicus, per nexum", driver: "Machina" },
  kindsAbout: {
    here: "Hoc instrumento agit. Si plures hic adestis, aulaeum suam cuique manum tegit.",
    friend: "Nexum accipis mittendum; mensa exspectat dum aperiatur.",
    driver: "",
  },
  friendAtOpen: "Vacat cuilibet venienti: ex atrio, aut per nexum tuum.",
  name: "Nomen",
  ourName: "nos inveniemus",
  colour: "Color aurigae",
  driver: "Auriga",
  usualDriver: "Unus e solitis",
  withTime: (budget) => `${budget} in singulos motus`,
  remove: "Tolle",
  removeSeat: (number) => `Tolle sellam ${roman(number)}`,
  add: "Adde:",
  addKinds: { here: "aliquem hic", friend: "amicum per nexum", driver: "aurigam" },

  edition: "Editio",
  isDefault: "solita",
  original: "Leges primae; ceterae ab eis discrepant.",
  differs: (changes) => `A primis discrepat: ${changes}.`,

  houseRules: "Leges domesticae",
  houseRulesAbout: "Quaeque lex per se mutari potest. Quod non tangis, ut in editione manet.",
  noHouseRules: "ut in editione",
  variants: "Varietates notae",
  groups: {
    cards: "Chartae",
    six: "Principes eorumque seniones",
    alley: "Via imperatoria",
    race: "Certamen",
    tournament: "Ludi et laureae",
    chariots: "Quadrigae sine auriga et factiones",
  },
  asPrinted: (words) => `${words} (ut impressum est)`,
  changes: (count) => so(count, "mutatio", "mutationes"),
  reset: "Restitue",
  resetOption: (option) => `Restitue: ${option}`,
  resetAll: "Omnes leges restitue",

  course: "Curriculum",
  courseName: (name) => capital(shell.course(name)),
  boardName: (title, side) => `${title}, pars ${side}`,
  direction: "Quorsum",
  length: "Quam diu",
  oneRace: "Unum certamen",
  tournament: "Ludi",
  tournamentOn: "Curricula ludorum",
  byEdition: "ut leges iubent",
  side: (side) => `utrumque curriculum partis ${side}`,
  chosenCourses: "curricula a me electa",
  firstCourse: "Primum curriculum",
  secondCourse: "Secundum curriculum",
  noSecond: "nullum secundum",
  schedule: "Certamina",
  stage: (course, direction) => `${course}, ${direction}`,
  pictureOf: (course, direction) => `Curriculum ${shell.course(course)} desuper visum, ${direction} currendum.`,
  facts: {
    spaces: "loci",
    bottlenecks: "angustiae",
    shortest_lap: "puncta brevissimi spatii",
    alley_extra: "amplius per viam",
    shortest_race: "puncta brevissimi certaminis",
  },
  ownBoard: "Tabula tua",
  ownBoardAbout: "Tabula litteris scripta est; cum eam elegeris, inspicitur.",
  chooseBoard: "Tabulam elige",
  checkingBoard: "Tabula inspicitur…",
  boardFine: (title, courses) => `«${title}» proba est. Curricula eius: ${courses.map(shell.course).join(", ")}.`,
  forgetBoard: "Ad tabulas nostras redi",

  manner: "Quomodo ludatur",
  access: "Quibus accedere liceat",
  byLink: "Per nexum tantum",
  byLinkAbout: "Ei soli quibus nexum mittis sellam capere possunt.",
  open: "Mensa publica",
  openAbout: "Mensa in atrio nominatur, et quivis sellam vacuam capere potest.",
  clock: "Clepsydra in singulas vices",
  clockAbout: "Cum aqua defecit, motus idoneus fit; nemo propterea certamen amittit.",
  noClock: "nulla clepsydra",
  away: "Si quis abest",
  awayAbout: "Donec redeat, auriga machinae vicarius est.",
  neverAway: "mensa exspectat",
  awayAfter: (time) => `post ${accusative(time)} vicarius agit`,
  pace: "Celeritas aurigarum machinae",
  paces: { 0: "statim", 300: "celeriter", 700: "ut solet", 1500: "placide", 3000: "lente" },
  paceInShort: (pace) => `aurigae: ${pace}`,
  hints: "Consilia",
  hintsAbout: "Vicibus tuis Sibyllam rogare potes quid ipsa factura sit.",
  memory: "Memoriae auxilium",
  memoryAbout: "Ubi acervos tuos habes, quid in eis sit tibi ostenditur.",
  tableTitle: "Nomen mensae",
  tableTitlePlaceholder: "nullo opus est",
  time: (seconds) =>
    seconds < 60
      ? so(seconds, "secunda", "secundae")
      : seconds < 3600
        ? so(seconds / 60, "minuta", "minutae")
        : seconds < 86_400
          ? so(seconds / 3600, "hora", "horae")
          : so(seconds / 86_400, "dies", "dies"),

  summary: "Mensa tua",
  chariots: (chariots, riderless) =>
    riderless > 0
      ? `${so(chariots, "quadriga", "quadrigae")}, ex quibus ${riderless} sine auriga`
      : so(chariots, "quadriga", "quadrigae"),
  races: (races) => `ludi: ${so(races, "certamen", "certamina")}`,
  begin: {
    race: "Certamen incipe",
    watch: "Certamen specta",
    tournament: "Ludos incipe",
    watchTournament: "Ludos specta",
    invite: "Mensam pone et invita",
    open: "Mensam publicam pone",
  },
  beginAbout: {
    race: "Statim proficisceris.",
    watch: "Sola machina certat; statim incipitur.",
    invite: (friends) =>
      `Accipis ${so(friends, "nexum mittendum", "nexus mittendos")}. Certamen incipit cum iusseris.`,
    open: "In atrio nominatur donec incipias.",
  },
  laying: "Mensa ponitur…",
  cannot: "Sic nondum ludi potest",
};
