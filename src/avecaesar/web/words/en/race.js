/** What the summary of a race says. */
import { counting } from "../plurals.js";
import shell from "./shell.js";

const counted = counting("en");

export default {
  /** @param {string} headline */
  pageTitle: (headline) => `${headline} · Ave Caesar`,
  loading: "The chronicler is writing…",
  loadingMore: "Sibylla tries every turn of the race in hundreds of others. That takes a few seconds, once.",
  lostTitle: "Nothing is written about this race",
  toTable: "To the podium",
  /** @param {number} race @param {number} of */
  raceOf: (race, of) => `Race ${race} of ${of}`,
  /** @param {string} course @param {string} direction */
  course: (course, direction) => `The ${shell.course(course)} course, ${shell.directions[direction]}`,
  /** @param {number} turns */
  turns: (turns) => counted(turns, "turn", "turns"),
  podium: "The podium",
  /** @param {number} laurels */
  laurels: (laurels) => counted(laurels, "laurel", "laurels"),
  roman: ["I", "II", "III", "IV", "V", "VI"],
  chart: "Three laps",
  chartLabel: "Everybody’s way along three laps. The figures are in the table below.",
  homeLine: "home",
  missedTurn: "a missed turn",
  coinPaid: "the coin is paid",
  outOfRace: "out of the race",
  leads: "who leads",
  decidingTurn: "the turn that decided it",
  figures: "Figures",
  figuresAbout: "Choose a chariot to see its way alone.",
  chariot: "Chariot",
  came: "Came",
  missed: "Missed turns",
  wasted: "Points wasted",
  barred: "Sixes barred",
  paid: "Coin paid",
  led: "Turns led",
  laurelsWon: "Laurels",
  laurelsAbout: "Laurels are what a race earns: the better the place, the more. In a tournament they are added up.",
  /** @param {number} turn */
  onTurn: (turn) => `turn ${turn}`,
  never: "never",
  ordinals: ["1st", "2nd", "3rd", "4th", "5th", "6th"],
  /** @type {Record<string, string>} */
  fates: {
    racing: "not home",
    home: "home",
    "out of cards": "out of cards",
    crashed: "crashed",
    withdrawn: "withdrawn",
    disqualified: "disqualified",
  },
  decided: "The turn that decided it",
  /** @param {number} turn */
  turn: (turn) => `Turn ${turn}`,
  byValues: "By Sibylla, who plays such moments to the end some thousand times and sees no more than the driver did.",
  seeIt: "See it in the replay",
  undecided: "No single turn decided it: this race was won a little at a time.",
  share: "Share",
  copy: "Copy the link",
  copied: "The link is copied.",
  copyThis: "This is the link:",
  png: "Save as picture",
  pngFailed: "This browser cannot paint the picture. The drawing (SVG) can be downloaded instead.",
  svg: "Save as drawing (SVG)",
  replay: "Replay",
};
