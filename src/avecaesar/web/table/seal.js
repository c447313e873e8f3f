/**
 * Whether a server has kept its word about the cards of a race. It knows what this browser saw before the race and what
 * was opened after it, draws the lots again, and asks nobody.
 * @module
 * @import { Digest } from "../lib/lots.js"
 * @import { Held, Turn } from "../lib/hands.js"
 * @import { Pledge } from "../lib/pledges.js"
 * @import * as t from "../lib/types.js"
 */
import { couldHaveUsed, heldFrom, heldFromPiles } from "../lib/hands.js";
import { chanceOf, commitmentOf, DECK, drawnFrom, firstGrid, shuffled } from "../lib/lots.js";

/** What is wrong: each is a lie of the server's. @typedef {"pledge" | "withheld" | "secret" | "share" | "record" | "grid" | "decks" | "hand" | "turns"} Lie */
/** What is strange: `stranger`, a share of nobody who sits there or has left; `mine`, one in the reader's name that is not his; `device`, one that is said to be another device's of his, which he never let in. @typedef {"stranger" | "mine" | "device"} Doubt */
/**
 * `checked`: true, and with a share of this browser's; `watched`: true, but without one; `unseen`: this browser did not
 * see the pledge; `doubtful`: true, but for a share that is strange; `broken`: it does not match.
 * @typedef {object} Verdict
 * @property {"checked" | "watched" | "unseen" | "doubtful" | "broken"} verdict
 * @property {Lie[]} lies
 * @property {Doubt[]} doubts
 * @property {{ share: string, seat: number | null, left: boolean, mine: boolean, later: boolean }[]} shares `left`: whoever gave it has left that seat; `later`: it may have been given when somebody knew this browser's
 */
/**
 * A race as records have it, as far as it is looked at.
 * @typedef {object} Recorded
 * @property {{ colour: string, riderless: boolean }[]} chariots
 * @property {number[][]} decks
 * @property {Turn[]} turns
 * @property {({ piles?: number[][], emperor: number[] } | null)[]} [choices]
 * @property {{ commitment: string, secret: string, shares: string[] }} [seal]
 */
/** @typedef {{ rules: Record<string, unknown>, races: Recorded[] }} OpenedRecord */

/** @param {unknown} a @param {unknown} b */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * @param {Digest} sha256
 * @param {Pledge} pledge what this browser saw
 * @param {t.RaceShown} race that is over
 * @param {number} players
 * @param {OpenedRecord | null} record null: it could not be had, and what it tells is left out
 * @returns {Verdict}
 */
export function judge(sha256, pledge, race, players, record) {
  const shares = sharesOf(pledge, race);
  const lies = liesIn(sha256, pledge, race, players, record);
  const doubts = /** @type {Doubt[]} */ ([]);
  const told = pledge.people.length > 0;
  const known = (/** @type {number} */ seat, /** @type {boolean} */ left) => left || pledge.people.includes(seat);
  if (told && shares.some(({ seat, left }) => seat === null || !known(seat, left))) doubts.push("stranger");
  const named = shares.filter(({ seat, mine }, i) => !mine && isInMyName(pledge, seat, i));
  if (pledge.offered.length && named.some(({ seat }) => !pledge.elsewhere.includes(Number(seat)))) doubts.push("mine");
  else if (pledge.offered.length && named.length && !pledge.linked) doubts.push("device");
  const seen = pledge.commitment !== null;
  const mine = shares.some((one) => one.mine);
  const verdict = lies.length ? "broken" : !seen ? "unseen" : doubts.length ? "doubtful" : mine ? "checked" : "watched";
  return { verdict, lies, doubts, shares };
}

/** Whether a share was put in the reader's name: before the race, or as it began. @param {Pledge} pledge @param {number | null} seat @param {number} i */
const isInMyName = ({ shares, named, held }, seat, i) =>
  i < shares.length ? named.includes(i) : seat !== null && (held ?? []).includes(seat);

/** Whose the shares are, and which somebody can have thought up who knew this browser's. @param {Pledge} pledge @param {t.RaceShown} race */
function sharesOf(pledge, race) {
  const isMine = (/** @type {number} */ i) => pledge.offered.includes(race.shares[i]) && isOfMine(pledge, race, i);
  const own = race.shares.some((_, i) => isMine(i));
  return race.shares.map((share, i) => {
    const [seat, mine] = [race.shared_by[i] ?? null, isMine(i)];
    return { share, seat, left: race.shared_left[i] ?? false, mine, later: own && !mine && !pledge.before.includes(share) };
  });
}

/** Whether a share is told to come from a seat of the reader's. @param {Pledge} pledge @param {t.RaceShown} race @param {number} i */
const isOfMine = (pledge, race, i) => pledge.mine.includes(race.shared_by[i] ?? -1);

/**
 * @param {Digest} sha256
 * @param {Pledge} pledge
 * @param {t.RaceShown} race
 * @param {number} players
 * @param {OpenedRecord | null} record
 */
function liesIn(sha256, pledge, race, players, record) {
  const lies = /** @type {Lie[]} */ ([]);
  const secret = race.secret ?? "";
  const pledged = pledge.commitment ?? race.commitment;
  if (pledge.changed || pledged !== race.commitment) lies.push("pledge");
  if (!secret) lies.push("withheld");
  else if (commitmentOf(sha256, secret) !== pledged) lies.push("secret");
  const kept = pledge.shares.every((share, i) => race.shares[i] === share);
  const found = (/** @type {string} */ share) => race.shares.some((one, i) => one === share && isOfMine(pledge, race, i));
  if (!kept || !pledge.given.every(found)) lies.push("share");
  return record && secret ? [...lies, ...liesInRecord(sha256, pledge, race, players, record)] : lies;
}

/**
 * What is opened must fit the cards that were dealt; what cannot even be read does not.
 * @param {Digest} sha256
 * @param {Pledge} pledge
 * @param {t.RaceShown} race
 * @param {number} players
 * @param {OpenedRecord} record
 * @returns {Lie[]}
 */
function liesInRecord(sha256, pledge, race, players, record) {
  try {
    const recorded = record.races[race.index];
    if (!tellsOf(recorded, race)) return ["record"];
    const deal = dealt(sha256, race, recorded);
    const lies = /** @type {Lie[]} */ ([]);
    if (race.index === 0 && !gridFollows(sha256, race, players, record.rules)) lies.push("grid");
    if (!same(recorded.decks, deal)) lies.push("decks");
    const held = deal.map((deck, i) => heldBy(deck, i, recorded, Number(record.rules.hand)));
    if (held.includes(null) || !wereSeen(pledge.left, held, "left")) lies.push("turns");
    if (!wereSeen(pledge.hands, held, "hands")) lies.push("hand");
    return lies;
  } catch {
    return ["record"];
  }
}

/**
 * Whether a record tells of the same seal and the same chariots, by colour and whether somebody sits there: a name may
 * have been erased since.
 * @param {Recorded} recorded
 * @param {t.RaceShown} race
 */
function tellsOf({ seal, chariots }, race) {
  const recorded = chariots.map(({ colour, riderless }) => [colour, riderless]);
  const raced = race.chariots.map(({ colour, seat }) => [colour, seat === null]);
  const told = seal && [seal.commitment, seal.secret, seal.shares];
  return same(told, [race.commitment, race.secret, race.shares]) && same(recorded, raced);
}

/** @param {Digest} sha256 @param {t.RaceShown} race @param {number} players @param {Record<string, unknown>} rules */
function gridFollows(sha256, race, players, rules) {
  const seats = race.chariots.filter((chariot) => chariot.seat !== null).map((chariot) => chariot.seat);
  const chance = chanceOf(sha256, race.secret ?? "", race.shares, "grid");
  return same(seats, firstGrid(chance, String(rules.first_grid), players, Number(rules.chariots_each)));
}

/**
 * The deck of each chariot as secret and shares deal it; of a sorted one its piles, one after another, and what was put
 * aside for the emperor: two cards at most, or anything could be hidden there.
 * @param {Digest} sha256
 * @param {t.RaceShown} race
 * @param {Recorded} recorded
 */
function dealt(sha256, race, recorded) {
  const chance = chanceOf(sha256, race.secret ?? "", race.shares, "deal");
  const numbers = DECK.map((_, number) => number);
  return recorded.chariots.map((chariot, i) => {
    if (!recorded.choices || chariot.riderless) return shuffled(chance, DECK);
    const [shuffle, choice] = [shuffled(chance, numbers), recorded.choices[i]];
    if (choice?.piles?.length !== 3 || choice.emperor.length > 2) throw new Error("this deck was not sorted by the rules");
    return [...drawnFrom(shuffle, choice.piles).flat(), ...choice.emperor];
  });
}

/**
 * All that a chariot can have held, by its deck and its turns; null: it cannot have had these turns.
 * @param {number[]} deck as it was dealt
 * @param {number} i
 * @param {Recorded} recorded
 * @param {number} size of a hand
 * @returns {Held | null}
 */
function heldBy(deck, i, recorded, size) {
  const turns = recorded.turns.filter((turn) => turn.chariot === i);
  if (recorded.chariots[i].riderless) return couldHaveUsed(deck, turns) ? { hands: new Set(), left: new Set() } : null;
  const choice = recorded.choices?.[i];
  if (!choice?.piles) return heldFrom(deck, turns, size);
  let first = 0;
  const piles = choice.piles.map((pile) => deck.slice(first, (first += pile.length)));
  return heldFromPiles(piles, choice.emperor, turns);
}

/**
 * Whether all that this browser saw of chariots can have been.
 * @param {Record<string, string[]>} seen
 * @param {(Held | null)[]} held
 * @param {keyof Held} what
 */
function wereSeen(seen, held, what) {
  return Object.entries(seen).every(([chariot, all]) => all.every((words) => held[Number(chariot)]?.[what].has(words)));
}
