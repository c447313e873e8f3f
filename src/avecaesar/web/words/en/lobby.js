/** What the lobby says. */
import { counting } from "../plurals.js";
import shell from "./shell.js";

const so = counting("en");

export default {
  title: "Ave Caesar: a chariot race",
  headline: "Three laps, narrow bends, and a coin owed to Caesar.",
  lead:
    "Play a card, drive exactly so far, keep the inside, and block whoever comes after you. " +
    "No account: a name and a colour are enough.",
  you: "You drive as",
  name: "Your name",
  namePlaceholder: "your name",
  nameless: "No name yet? Then you race as Aulus.",
  colour: "Your colour",
  raceNow: "Race now",
  raceNowAbout: "You against three of the computer’s drivers",
  laying: "Harnessing the horses…",
  newTable: "New table",
  newTableAbout: "Friends by link or at this screen; every edition, course and rule",
  watch: "Watch a race",
  watchAbout: "Four of the computer’s drivers, and you on the stands",
  replay: "Replay a record",
  replayAbout: "Choose a file that was saved after a race",
  refereeing: "The referee runs it again…",
  mine: "Your tables",
  mineEmpty: "None yet. A race that you begin waits for you here, even if you close the page.",
  open: "Open tables",
  openEmpty: "Nobody is waiting for others just now. Lay an open table, and whoever looks in can join you.",
  openNew: "Lay an open table",
  asking: "Looking who is there…",
  offlineTitle: "No line to the server",
  offlineKept: "What you see below may be out of date.",
  stopped: "Rests: the server lacks the key to its cards",
  yourTurn: "Your turn",
  resume: "Resume",
  drive: "To your chariot",
  see: "See how it ended",
  join: "Join",
  joining: "Taking a seat…",
  watchTable: "Watch",
  tournament: "tournament",
  /** @param {string} course */
  on: (course) => `${shell.course(course)} course`,
  /** @param {string} course */
  raceOn: (course) => `A race on the ${shell.course(course)} course`,
  aTournament: "A tournament",
  /** @param {number} count */
  free: (count) => so(count, "seat free", "seats free"),
  phases: { gathering: "waiting to begin", racing: "racing", podium: "between races", over: "over" },
  freeSeat: "free seat",
  /** @param {number} count */
  older: (count) => `Show ${so(count, "older table", "older tables")}`,
};
