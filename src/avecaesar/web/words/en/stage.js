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
  photo: "Photo finish",
  /** @param {string} name @param {number} turn */
  firstHome: (name, turn) => `${name} is home first, in turn ${turn}`,
  /** @param {string} name @param {number} spaces */
  behind: (name, spaces) => `${name} still has ${counted(spaces, "space", "spaces")} to go`,
  nobodyBehind: "Nobody is left behind the winner",
  youWin: "The race is yours!",
  /** @param {string} place @param {number} turns @param {string} winner */
  youCome: (place, turns, winner) => `You are ${place}, ${counted(turns, "turn", "turns")} after ${winner}`,
  /** @param {number} spaces */
  youStop: (spaces) => `You did not get home: ${counted(spaces, "space was", "spaces were")} left to go`,
  youOwed: "You came home without paying: Caesar does not forget a coin",
  youOut: "Not this time: you are disqualified",
  /** @param {number} turns */
  missed: (turns) => (turns ? `You missed ${counted(turns, "turn", "turns")}` : "You never missed a turn"),
  /** @param {number} points */
  left: (points) => `${counted(points, "point", "points")} left on your cards`,
  /** @param {number} laurels */
  youLead: (laurels) => `You lead the tournament with ${counted(laurels, "laurel", "laurels")}`,
  /** @param {string} place @param {number} laurels @param {string} leader */
  youTrail: (place, laurels, leader) =>
    `In the tournament you are ${place}, ${counted(laurels, "laurel", "laurels")} behind ${leader}`,
  youTriumph: "Caesar himself lays the laurel on your head",
};
