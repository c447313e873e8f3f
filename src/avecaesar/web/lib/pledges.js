/**
 * What this browser saw of a deal before its race was over: the pledge, the shares, its own among them, and its cards.
 * It is kept in this browser, so that whoever closes the page can still tell whether the server kept its word; where
 * nothing can be kept, it holds as long as the page is open. Nothing of it is ever sent.
 * @module
 * @import * as t from "./types.js"
 */

import { handOf, pilesOf } from "./hands.js";

const PREFIX = "avecaesar.deals.";
const MOST_TABLES = 40;
const MOST_DEALS = 8; // of a table
const A_YEAR = 365 * 24 * 3600 * 1000; // after which nobody waits for a race to be over

/**
 * @typedef {object} Pledge
 * @property {string | null} commitment as it was told before the race; null: this browser came later
 * @property {boolean} changed whether another one was told for the same race, or a share was taken back
 * @property {boolean} judged whether it was held against what was opened
 * @property {string[]} shares added so far, as they were told last before the race
 * @property {string[]} given shares of this browser's that the server has confirmed
 * @property {string[]} offered shares of this browser's, confirmed or not
 * @property {string[]} before shares that were told before this browser gave its own
 * @property {number[]} people seats at which a person was seen before the race, or as it began
 * @property {number[]} mine this browser's own seats
 * @property {number[]} elsewhere those of them that another device held too, as the server says
 * @property {boolean} linked whether this browser has made a link for another device, or came by one
 * @property {number[]} named places of shares that were told to come from this browser's seat while it sat there
 * @property {number[]} sits its seats when it last looked before the race
 * @property {number[] | null} held those of them that it still had when it first looked at the race; null: it did not
 * @property {Record<string, string[]>} hands by chariot of mine: each hand as it was shown, in words
 * @property {Record<string, string[]>} left by chariot: what everybody saw that it had in hand and deck together, each value's number
 */
/** `sits`: this browser's seats when it last looked. @typedef {{ at: number, deals: Record<string, Pledge>, linked?: boolean, sits?: number[] }} Kept */

/** What was kept while the page is open. @type {Map<string, Kept>} */
const open = new Map();
/** By table the race that is shown in this page, and the one that cards are sealed for. @type {Map<string, string[]>} */
const known = new Map();

/** @returns {Pledge} */
const nothing = () => ({
  commitment: null,
  changed: false,
  judged: false,
  shares: [],
  given: [],
  offered: [],
  before: [],
  people: [],
  mine: [],
  elsewhere: [],
  linked: false,
  named: [],
  sits: [],
  held: null,
  hands: {},
  left: {},
});

/** @param {string} table @returns {Kept} */
function kept(table) {
  try {
    const found = JSON.parse(localStorage.getItem(PREFIX + table) ?? "null");
    if (found && typeof found === "object" && typeof found.deals === "object") return found;
  } catch {
    // storage is closed to us, or somebody else wrote there
  }
  return open.get(table) ?? { at: 0, deals: {} };
}

/** @param {string} table @param {Kept} notes */
function keep(table, notes) {
  const judged = Object.keys(notes.deals).filter((name) => !isDue(notes.deals[name]));
  const gone = judged.slice(0, Math.max(0, Object.keys(notes.deals).length - MOST_DEALS));
  const deals = Object.entries(notes.deals).filter(([name]) => !gone.includes(name));
  const told = { at: Date.now(), deals: Object.fromEntries(deals), linked: notes.linked ?? false, sits: notes.sits };
  open.set(table, told);
  try {
    localStorage.setItem(PREFIX + table, JSON.stringify(told));
    forgetOld();
  } catch {
    // it holds while the page is open
  }
}

/** Whether a pledge waits for its race to be over: who could have it forgotten need not keep it. @param {Pledge} pledge */
const isDue = (pledge) => pledge.commitment !== null && !pledge.judged;

/** @param {Kept} notes */
const isOpen = (notes) => Date.now() - notes.at < A_YEAR && Object.values(notes.deals).some(isDue);

function forgetOld() {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
  if (names.length <= MOST_TABLES) return;
  const all = names.map((name) => ({ name, notes: kept(name.slice(PREFIX.length)) }));
  const old = all.filter(({ notes }) => !isOpen(notes)).sort((a, b) => a.notes.at - b.notes.at);
  for (const { name } of old.slice(0, names.length - MOST_TABLES)) localStorage.removeItem(name);
}

/** The name of a race at a table. @param {number} game @param {number} race */
const nameOf = (game, race) => `${game}.${race}`;

/** The name of the race that the table's sealed cards are for. @param {t.TableShown} shown */
function nextOf({ phase, race, game }) {
  if (!race) return nameOf(0, 0);
  return phase === "over" ? nameOf(game + 1, 0) : nameOf(game, race.index + 1);
}

/**
 * Changes what is kept of a race.
 * @param {string} table
 * @param {string} name
 * @param {(pledge: Pledge, notes: Kept) => void} change
 */
function note(table, name, change) {
  const notes = kept(table);
  const pledge = { ...nothing(), ...notes.deals[name] };
  const before = JSON.stringify([pledge, notes.sits]);
  change(pledge, notes);
  if (name in notes.deals && before === JSON.stringify([pledge, notes.sits])) return;
  notes.deals[name] = pledge;
  keep(table, notes);
}

/** @param {number[]} all @param {number[]} more */
const joined = (all, more) => [...new Set([...all, ...more])].sort((a, b) => a - b);

/** @param {Pledge} pledge @param {t.TableShown} shown */
function noteSeats(pledge, { seats, yours }) {
  const people = seats.filter((seat) => seat.taken && !seat.driver).map((seat) => seat.seat);
  pledge.people = joined(pledge.people, people);
  pledge.mine = joined(pledge.mine, yours);
  pledge.elsewhere = joined(
    pledge.elsewhere,
    yours.filter((seat) => seats[seat].devices > 1),
  );
}

/**
 * Looks at the table, and keeps what may be needed later.
 * @param {t.TableShown} shown
 * @param {boolean} [whole] after a gap, or at first: what happened meanwhile was not seen
 */
export function observe(shown, whole = false) {
  const { race, sealed } = shown;
  if (shown.plan.lesson && !Object.keys(kept(shown.table).deals).length) return; // its cards were never a secret
  followUp(shown, whole);
  if (race && !race.over)
    note(shown.table, nameOf(shown.game, race.index), (pledge, notes) => {
      pledge.held ??= pledge.sits.filter((seat) => shown.yours.includes(seat));
      notes.sits = shown.yours;
      noteCards(pledge, shown, race);
    });
  if (!sealed) return;
  note(shown.table, nextOf(shown), (pledge, notes) => {
    noteNames(pledge, shown, notes.sits ?? []);
    notes.sits = pledge.sits = shown.yours;
    // Another tab of this browser may be ahead or behind; a share that was taken back is missed when the deal is opened.
    const [fewer, more] = [pledge.shares, shown.shares].sort((one, other) => one.length - other.length);
    const agree = fewer.every((share, i) => more[i] === share);
    if (pledge.commitment !== null && (pledge.commitment !== sealed || !agree)) pledge.changed = true;
    else [pledge.commitment, pledge.shares] = [sealed, more];
    noteSeats(pledge, shown);
  });
}

/**
 * Before the eyes of this page a race goes on under its name, or the one begins that cards were sealed for. Under any
 * other name it would be held against no pledge, or against another one.
 * @param {t.TableShown} shown
 * @param {boolean} whole
 */
function followUp(shown, whole) {
  const before = known.get(shown.table);
  const names = [...(shown.race ? [nameOf(shown.game, shown.race.index)] : []), nextOf(shown)];
  known.set(shown.table, names);
  if (whole || !before || !shown.race || before.includes(names[0])) return;
  for (const name of names) note(shown.table, name, (pledge) => void (pledge.changed = true));
}

/**
 * Which shares the server puts in this browser's name. One of somebody who has sat there before is not: the server says
 * so, and it is believed unless the share is new and this browser has had the seat since it last looked.
 * @param {Pledge} pledge
 * @param {t.TableShown} shown
 * @param {number[]} sat
 */
function noteNames(pledge, shown, sat) {
  const named = shown.shared_by.flatMap((seat, i) => {
    if (seat === null || !shown.yours.includes(seat)) return [];
    const isNew = i >= pledge.shares.length && sat.includes(seat);
    return isNew || !shown.shared_left[i] ? [i] : [];
  });
  pledge.named = joined(pledge.named, named);
}

/** @param {Pledge} pledge @param {t.TableShown} shown @param {t.RaceShown} race */
function noteCards(pledge, shown, race) {
  if (race.turn_number <= 1) noteSeats(pledge, shown);
  if (race.asks === "deck" || race.asks === "sort") return; // nobody has a deck yet
  for (const { chariot, cards, undrawn, bottom } of shown.hands) {
    const { piles } = race.chariots[chariot];
    noteWords(pledge.hands, chariot, piles.length ? pilesOf(cards, piles) : handOf(cards, undrawn, bottom));
  }
  race.chariots.forEach(({ unseen, seat }, chariot) => seat !== null && noteWords(pledge.left, chariot, unseen.join("")));
}

/** In whichever order: another tab of this browser may be ahead or behind. @param {Record<string, string[]>} all @param {number} chariot @param {string} words */
function noteWords(all, chariot, words) {
  const seen = (all[chariot] ??= []);
  if (!seen.includes(words)) seen.push(words);
}

/** This browser gives a share: it saw these before. @param {t.TableShown} shown @param {string} share */
export function offer(shown, share) {
  note(shown.table, nextOf(shown), (pledge) => {
    if (!pledge.offered.length) pledge.before = shown.shares;
    pledge.offered = [...pledge.offered, share];
  });
}

/** The server has it. @param {t.TableShown} shown as it was when it was offered @param {string} share */
export function given(shown, share) {
  note(shown.table, nextOf(shown), (pledge) => void (pledge.given = [...new Set([...pledge.given, share])]));
}

/** What is known of a race. @param {string} table @param {number} game @param {number} race @returns {Pledge} */
export function pledgeOf(table, game, race) {
  const { deals, linked = false } = kept(table);
  return { ...nothing(), ...deals[nameOf(game, race)], linked };
}

/** A link for another device was made or opened here: there may be one. @param {string} table */
export const linked = (table) => keep(table, { ...kept(table), linked: true });

/** A race was held against its pledge. @param {string} table @param {number} game @param {number} race */
export const judged = (table, game, race) => note(table, nameOf(game, race), (pledge) => void (pledge.judged = true));

/** Forgets all that was seen at tables: they tell where somebody sat, and what he held. */
export function forgetAll() {
  open.clear();
  known.clear();
  forgetNamed(() => localStorage, PREFIX);
}

/** @param {() => Storage} storage which may be closed to us @param {string} prefix */
export function forgetNamed(storage, prefix) {
  try {
    const kept = storage();
    for (const name of Object.keys(kept)) if (name.startsWith(prefix)) kept.removeItem(name);
  } catch {
    // then nothing is kept there
  }
}
