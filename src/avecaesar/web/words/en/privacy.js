/** What is said about what the server keeps. */
import { counting } from "../plurals.js";

const counted = counting("en");

export default {
  pageTitle: "Privacy · Ave Caesar",
  title: "Privacy",
  lead: "No account, no tracking. The server keeps what a race needs, and nothing else.",
  keptTitle: "What is kept",
  kept: [
    "Your key: a random number in a cookie, which opens your seats. The server keeps a fingerprint of it only.",
    "What you write: your name, the titles of your tables, and what you say there. Whoever has a table’s link can read it.",
    "The races: cards, moves and times.",
    "Your address is never written down. It is counted while you are here, so that nobody floods the server.",
  ],
  longTitle: "For how long",
  /** @param {number} days */
  days: (days) =>
    `A finished table, or one where no race was ever begun, is erased after ${counted(days, "day", "days")} without a change. A race that you share stays until you stop sharing it. A board or record that was uploaded goes when nobody has opened it for as long.`,
  forever: "This server keeps finished tables and uploads for good.",
  deviceTitle: "In this browser",
  device:
    "Your name, your colour and how you like to play are remembered in this browser only. It also keeps the pledges, shares and cards of up to forty tables (longer while a race is not over), so that it can check the deal, and invitations that you have not used.",
  forgetTitle: "Forget me",
  forgetAbout: [
    "Your names and everything you have said are erased at all tables. Your seats become free; in a race that is on, a stand-in drives to its end. The races stay, and Nemo, nobody, has driven them. What this browser remembers of tables goes too.",
    "This cannot be undone. It holds for this browser: your other devices have keys of their own. What somebody has downloaded is his.",
  ],
  forget: "Forget me",
  sure: "Erase all your names and words, and give up your seats?",
  yes: "Yes, forget me",
  no: "No, go back",
  busy: "Forgetting…",
  /** @param {number} tables */
  done: (tables) => (tables ? `You are forgotten at ${counted(tables, "table", "tables")}.` : "There was nothing to forget."),

  // a replay
  /** @param {string} date */
  until: (date) => `This race is kept until ${date}.`,
  sharedByYou: "You share this race: it is kept until you stop.",
  shared: "Somebody shares this race: it is kept until he stops.",
  good: "This race is kept for good.",
  share: "Keep it longer",
  stop: "Stop sharing",
};
