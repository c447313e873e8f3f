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

const ONE_CARD = 6; // spaces: who has no more to go could have been home with his next turn

/**
 * Whether somebody who came home had another close behind or before him: both in one round, or the race ended when the
 * next one had hardly a turn to go. Then it is told which two they were, and how many turns ago the first came home.
 * @param {t.RaceShown} race
 * @param {readonly t.Line[]} story
 * @param {number} chariot who came home just now
 * @returns {{ first: t.ChariotShown, next: t.ChariotShown, ago: number } | null}
 */
export function closeFinish(race, story, chariot) {
  const home = honoured(race);
  const first = race.chariots.findIndex((one) => home.includes(one) && one.arrival === 1);
  const [winner, mine] = [race.chariots[first], race.chariots[chariot]];
  if (!winner || !mine) return null;
  const next = runnerUp(race);
  if (race.over && first === chariot) return next && next.to_go <= ONE_CARD ? { first: winner, next, ago: 0 } : null;
  const ago = wentFor(story, chariot).home - wentFor(story, first).home;
  const close = mine.arrival === 2 && home.includes(mine) && ago < race.chariots.length;
  return close ? { first: winner, next: mine, ago } : null;
}

/** How many rounds after another a chariot was home. @param {readonly t.Line[]} story @param {number} chariot @param {number} first */
export function roundsAfter(story, chariot, first) {
  const turns = story.filter((line) => line.kind === "turn" && line.chariot !== null);
  const since = turns.findIndex((line) => line.chariot === first && line.home);
  const own = turns.filter((line, i) => i > since && line.chariot === chariot);
  return Math.max(own.length - 1, 0);
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
  return { missed: turns.filter((line) => line.chariot === chariot && line.missed).length, home, paid };
}
