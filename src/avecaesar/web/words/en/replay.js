/** What the replay says. */
import { counting } from "../plurals.js";
import shell from "./shell.js";

const counted = counting("en");
const ORDINALS = ["1st", "2nd", "3rd", "4th", "5th", "6th"];

export default {
  /** @param {string} title */
  pageTitle: (title) => `${title} · replay`,
  loading: "The referee runs the race again…",
  lostTitle: "No race to be seen here",
  toTable: "To the podium",
  ways: "The race elsewhere",
  /** @param {number} number */
  race: (number) => `Race ${number}`,
  races: "Races",
  /** @param {string} course @param {string} direction */
  course: (course, direction) => `The ${shell.course(course)} course, ${shell.directions[direction]}`,
  sealed: "fair cards",
  sealedAbout: "The cards were sealed before the race, and the referee has dealt them again from the opened seal.",
  board: "The board",
  first: "To the grid",
  back: "A turn back",
  play: "Play",
  pause: "Pause",
  forward: "A turn forward",
  last: "To the end",
  before: "To the event before",
  after: "To the next event",
  turn: "Turn",
  /** @param {number} at @param {number} last */
  at: (at, last) => (at === 0 ? "The grid" : `Turn ${at} of ${last}`),
  speed: "Speed",
  /** @type {Record<number, string>} */
  speeds: { 0.5: "½×", 1: "1×", 2: "2×", 4: "4×", 10: "10×" },
  hands: "Hands",
  notation: "Notation",
  drivers: "Drivers",
  log: "The race",
  moments: "Events",
  standings: "Standings",
  grid: "The chariots stand on the grid.",
  summary: "What a race it was",
  copy: "Link to this moment",
  copied: "The link is copied.",
  copyThis: "This is the link:",
  download: "Record",
  downloadText: "As text",
  downloadAbout: "Download the record: the file can be verified and replayed anywhere",
  upload: "Another record",
  uploading: "The referee runs it again…",
  /** @param {number} lap */
  lap: (lap) => (lap === 0 ? "grid" : `lap ${["I", "II", "III"][lap - 1]}`),
  owes: "owes a coin",
  noSix: "6 barred",
  barred: "leads, and may not play a 6 now",
  disqualified: "disqualified",
  riderless: "riderless",
  /** @param {number} points */
  spare: (points) => (points < 0 ? `${-points} short` : `${points} to spare`),
  /** @param {number} cards @param {number} points */
  cards: (cards, points) => `${counted(cards, "card", "cards")}, ${counted(points, "point", "points")}`,
  /** @param {string} name */
  handOf: (name) => `Cards of ${name}`,
  /** @param {number} laurels */
  laurels: (laurels) => counted(laurels, "laurel", "laurels"),
  /** @param {{ status: string, arrival: number | null, place: number | null }} chariot */
  fate: ({ status, arrival, place }) =>
    status === "home" && (place ?? arrival) ? `home ${ORDINALS[(place ?? arrival ?? 1) - 1]}` : status,
  /** Who made a turn, if not he who sat there. @type {Record<string, string>} */
  by: { "stand-in": "stand-in", clock: "time ran out" },
  piles: ["I", "II", "III"],
};
