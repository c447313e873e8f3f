/** What the form for a new table says. */
import { capital, counting } from "../plurals.js";
import shell from "./shell.js";

const so = counting("en");

export default {
  title: "A new table: Ave Caesar",
  headline: "A new table",
  lead: "Choose a table and begin.",

  readyTables: "Ready to race",
  details: "Change something",
  ready: {
    quick: { title: "Quick race with bots", about: "You and three of the computer’s drivers; it starts at once" },
    friends: { title: "With friends by a link", about: "Two friends, wherever they are, and one of the computer’s drivers" },
    screen: { title: "Round one screen", about: "Three people, one device: a curtain hides each hand" },
    ausgebremst: { about: "Decks to choose, three piles, two cards in hand: racing as in another game" },
    tournament: { title: "A tournament", about: "The same drivers, one race after another, for laurels" },
    open: { title: "An open table", about: "For whoever looks into the lobby" },
  },

  seats: "Who drives",
  /** @param {number} number */
  seat: (number) => `Seat ${number}`,
  who: "Who",
  kinds: { here: "At this screen", friend: "A friend, by link", driver: "The computer" },
  kindsAbout: {
    here: "Drives on this device. With several people here, a curtain hides each hand.",
    friend: "You get a link to send; the table waits for whoever opens it.",
    driver: "",
  },
  friendAtOpen: "Free for whoever comes: from the lobby, or by a link of yours.",
  name: "Name",
  ourName: "we find a name",
  colour: "Colour",
  driver: "Driver",
  usualDriver: "One of the usual ones",
  /** @param {string} budget */
  withTime: (budget) => `${budget} a move`,
  remove: "Remove",
  /** @param {number} number */
  removeSeat: (number) => `Remove seat ${number}`,
  add: "Add:",
  addKinds: { here: "somebody here", friend: "a friend by link", driver: "a driver" },

  edition: "Edition",
  isDefault: "the usual one",
  original: "The original rules; the others differ from them.",
  /** @param {string} changes */
  differs: (changes) => `Differs from the original: ${changes}.`,

  houseRules: "House rules",
  houseRulesAbout: "Every rule can be changed by itself. What is not touched stays as the edition has it.",
  noHouseRules: "as the edition has them",
  variants: "Well-known variants",
  groups: {
    cards: "Cards",
    six: "Leaders and their sixes",
    alley: "The Imperial Alley",
    race: "The race",
    tournament: "Tournament and laurels",
    chariots: "Riderless chariots and teams",
  },
  /** @param {string} words */
  asPrinted: (words) => `${words} (as printed)`,
  /** @param {number} count */
  changes: (count) => so(count, "change", "changes"),
  reset: "Reset",
  /** @param {string} option */
  resetOption: (option) => `Reset: ${option}`,
  resetAll: "Reset all house rules",

  course: "Course",
  /** @param {string} name */
  courseName: (name) => capital(shell.course(name)),
  /** @param {string} title @param {string} side */
  boardName: (title, side) => `${title}, side ${side}`,
  direction: "Direction",
  length: "How long",
  oneRace: "One race",
  tournament: "A tournament",
  tournamentOn: "Courses of the tournament",
  byEdition: "as the rules say",
  /** @param {string} side */
  side: (side) => `both courses of side ${side}`,
  chosenCourses: "courses of my choice",
  firstCourse: "First course",
  secondCourse: "Second course",
  noSecond: "no second one",
  schedule: "The races",
  /** @param {string} course @param {string} direction */
  stage: (course, direction) => `${course}, ${direction}`,
  /** @param {string} course @param {string} direction */
  pictureOf: (course, direction) => `The ${shell.course(course)} course from above, driven ${direction}.`,
  facts: {
    spaces: "spaces",
    bottlenecks: "bottlenecks",
    shortest_lap: "points for the shortest lap",
    alley_extra: "more by the alley",
    shortest_race: "points for the shortest race",
  },
  ownBoard: "A board of your own",
  ownBoardAbout: "A board is a text file; it is checked when you choose it.",
  chooseBoard: "Choose a board file",
  checkingBoard: "Checking the board…",
  /** @param {string} title @param {string[]} courses */
  boardFine: (title, courses) => `“${title}” is sound. Its courses: ${courses.join(", ")}.`,
  forgetBoard: "Use our boards again",

  manner: "How it is played",
  access: "Who may join",
  byLink: "By link only",
  byLinkAbout: "Only people to whom you send a link can take a seat.",
  open: "Open table",
  openAbout: "The table is listed in the lobby, and anybody may take a free seat.",
  clock: "Clock for a turn",
  clockAbout: "When it runs out, a sensible move is made; nobody loses the race by it.",
  noClock: "no clock",
  away: "When somebody is away",
  awayAbout: "Until he is back, one of the computer’s drivers stands in for him.",
  neverAway: "the table waits",
  /** @param {string} time */
  awayAfter: (time) => `a driver after ${time}`,
  pace: "Pace of the computer’s drivers",
  paces: { 0: "at once", 300: "quick", 700: "usual", 1500: "calm", 3000: "slow" },
  /** @param {string} pace */
  paceInShort: (pace) => `drivers: ${pace}`,
  hints: "Hints",
  hintsAbout: "On your turn you may ask Sibylla what she would do.",
  memory: "Memory aid",
  memoryAbout: "Where cards lie in piles of your own, you are shown what is in them.",
  tableTitle: "Name of the table",
  tableTitlePlaceholder: "none is needed",
  /** @param {number} seconds */
  time: (seconds) =>
    seconds < 60
      ? so(seconds, "second", "seconds")
      : seconds < 3600
        ? so(seconds / 60, "minute", "minutes")
        : seconds < 86_400
          ? so(seconds / 3600, "hour", "hours")
          : so(seconds / 86_400, "day", "days"),

  summary: "Your table",
  /** @param {number} chariots @param {number} riderless */
  chariots: (chariots, riderless) =>
    riderless > 0 ? `${so(chariots, "chariot", "chariots")}, ${riderless} of them riderless` : so(chariots, "chariot", "chariots"),
  /** @param {number} races */
  races: (races) => `a tournament of ${so(races, "race", "races")}`,
  begin: {
    race: "Begin the race",
    watch: "Watch the race",
    tournament: "Begin the tournament",
    watchTournament: "Watch the tournament",
    invite: "Lay the table and invite",
    open: "Lay the open table",
  },
  beginAbout: {
    race: "You start at once.",
    watch: "Nobody drives but the computer; it starts at once.",
    /** @param {number} friends */
    invite: (friends) => `You get ${so(friends, "link", "links")} to send. The race begins when you say so.`,
    open: "It is shown in the lobby until you begin.",
  },
  laying: "Laying the table…",
  cannot: "This cannot be played yet",
};
