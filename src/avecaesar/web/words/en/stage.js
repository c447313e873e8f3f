/** What the circus calls out: moments of a race, and what the podium says to you. */
import { counting } from "../plurals.js";

const counted = counting("en");

export default {
  /** @param {string} name */
  pays: (name) => `${name} pays Caesar`,
  youPay: "Your coin is Caesar’s",
  straight: "The last straight!",
  /** @param {string} name @param {number} spaces */
  straightOf: (name, spaces) => `${name} has ${counted(spaces, "space", "spaces")} to go`,
  lit: { reach: "within reach", pays: "pays Caesar", tight: "nothing to spare then" },
  home: "Home!",
  /** @param {string} name @param {string} place */
  comes: (name, place) => `${name} is ${place}`,
  photo: "Photo finish",
  /** @param {string} name @param {number} turn */
  firstHome: (name, turn) => `${name} is home first, in turn ${turn}`,
  /** @param {string} name @param {number} spaces */
  behind: (name, spaces) => `${name} still has ${counted(spaces, "space", "spaces")} to go`,
  /** @param {string} name */
  closeBehind: (name) => `${name} follows in the same round`,
  youWin: "The race is yours!",
  /** @param {string} place @param {number} rounds @param {string} winner */
  youCome: (place, rounds, winner) =>
    rounds
      ? `You are ${place}, ${counted(rounds, "round", "rounds")} after ${winner}`
      : `You are ${place}, in the same round as ${winner}`,
  /** @param {number} spaces */
  youStop: (spaces) => `You did not get home: ${counted(spaces, "space was", "spaces were")} left to go`,
  youOwed: "You came home without paying: Caesar does not forget a coin",
  youOut: "Not this time: you are disqualified",
  /** @param {number} turns */
  missed: (turns) => (turns ? `You missed ${counted(turns, "turn", "turns")}` : "You never missed a turn"),
  /** @param {number} points */
  left: (points) => `${counted(points, "point", "points")} left on your cards`,
  /** @param {number} points */
  wasted: (points) => (points ? `wasted ${counted(points, "point", "points")}` : "wasted nothing"),
  figures: "Figures, record and seal",
  laurels: "Every race earns laurels, the better the place the more. Whoever has most after the last race wins.",
  /** @param {number} laurels */
  youLead: (laurels) => `You lead the tournament with ${counted(laurels, "laurel", "laurels")}`,
  /** @param {string} place @param {number} laurels @param {string} leader */
  youTrail: (place, laurels, leader) =>
    `In the tournament you are ${place}, ${counted(laurels, "laurel", "laurels")} behind ${leader}`,
  youTriumph: "Caesar himself lays the laurel on your head",
};
