/** What the page says everywhere. */
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

export default {
  name: "Ave Caesar",
  skip: "To the content",
  home: "Ave Caesar: to the lobby",
  /** How long ago something was. @param {number} count @param {"minute" | "hour" | "day"} unit */
  ago: (count, unit) => relative.format(-count, unit),
  justNow: "just now",
  unreachable: "The server cannot be reached. Is it running?",
  offlineTitle: "The gates are closed",
  offlineWords:
    "The server cannot be reached just now. Your tables are safe with it, and this page goes on by itself as soon as it answers.",
  unexpected: "Something went wrong in this page. Loading it again usually helps.",
  /** @param {number} status */
  answered: (status) => `The server could not answer (${status}).`,
  lineClosed: "The table was left.",
  lineRefused: "The server has closed the line to this table.",
  loading: "One moment…",
  tryAgain: "Try again",
  reload: "Load the page again",
  toLobby: "To the lobby",
  tooLarge: "This file is larger than 4 MB, more than can be taken here.",
  brokenTitle: "A wheel came off",
  brokenWords: "This page has broken. The race goes on without it, and nothing is lost.",
  nowhereTitle: "No such place in the circus",
  nowhereWords: "There is nothing at this address. Perhaps the link was cut short.",
  rules: "Rules",
  language: "Language",
  theme: { auto: "Light as the system has it", light: "Light", dark: "Dark" },
  /** @param {string} now */
  themeButton: (now) => `Light or dark, now: ${now}`,
  soundOn: "Sound is on",
  soundOff: "Sound is off",
  dismiss: "Dismiss",
  footer: "An unofficial implementation of Wolfgang Riedesser’s game. Boards and pictures are our own.",
  manual: "For bot writers",
  privacy: "Privacy",
  colours: { red: "red", blue: "blue", green: "green", yellow: "yellow", white: "white", black: "black" },
  /** The name of a course; ours are colours. @param {string} name */
  course: (name) => name,
  /** @type {Record<string, string>} */
  directions: { clockwise: "clockwise", anticlockwise: "anticlockwise" },
};
