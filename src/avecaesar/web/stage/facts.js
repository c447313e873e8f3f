/**
 * What can be read from what the table shows and tells: who leads, who is soon home, how a race went for somebody.
 * @module
 * @import * as t from "../lib/types.js"
 */

const SOON = 14; // spaces to go: the last straight, more or less

/** The reader's own chariots. @param {t.TableShown} shown @returns {number[]} */
export function ownOf(shown) {
  const seats = shown.yours.length > 1 && shown.eyes !== null ? [shown.eyes] : shown.yours;
  return (shown.race?.chariots ?? []).flatMap(({ seat }, i) => (seat !== null && seats.includes(seat) ? [i] : []));
}

/** Whether somebody still owes Caesar the coin that he must pay. @param {t.RaceShown} race @param {number} i */
export function owes(race, i) {
  const chariot = race.chariots[i];
  return Boolean(chariot?.coin && chariot.status === "racing" && !chariot.disqualified && race.tribute !== "optional");
}

/** Who is home with honour. @param {t.RaceShown} race */
export const honoured = (race) => race.chariots.filter((one) => one.status === "home" && !one.disqualified);

/** Who will be home soon, before anybody is: the nearest; null as long as it is not so far. @param {t.RaceShown | null} race */
export function nearlyHome(race) {
  if (!race || race.over || honoured(race).length) return null;
  const near = race.chariots.filter((one) => one.status === "racing" && one.space !== null && one.to_go <= SOON);
  return near.sort((a, b) => a.to_go - b.to_go)[0] ?? null;
}

/** Who comes after the first one home: the nearest of those who still race. @param {t.RaceShown} race */
export function runnerUp(race) {
  const behind = race.chariots.filter((one) => one.status === "racing" && one.space !== null);
  return behind.sort((a, b) => a.to_go - b.to_go)[0] ?? null;
}

/**
 * How a race went for a chariot, from its lines: how many turns it missed, and after how many of all turns it was home.
 * @param {readonly t.Line[]} story
 * @param {number} chariot
 */
export function wentFor(story, chariot) {
  const turns = story.filter((line) => line.kind === "turn" && line.chariot !== null);
  const home = turns.findIndex((line) => line.chariot === chariot && line.home);
  const paid = turns.findIndex((line) => line.chariot === chariot && line.paid);
  return { missed: turns.filter((line) => line.chariot === chariot && isMissed(line)).length, home, paid };
}

const MISSED = /^[-x]/; // as records write it

/** Whether somebody could not drive in his turn. @param {t.Line} line */
export const isMissed = (line) => line.kind === "turn" && MISSED.test(line.notation);
