/**
 * What this browser saw of a deal before its race was over: the pledge, the shares, its own among them, and its cards.
 * It is kept in this browser, so that whoever closes the page can still tell whether the server kept its word; where
 * nothing can be kept, it holds as long as the page is open. Nothing of it is ever sent.
 * @module
 * @import * as t from "./types.js"
 */

const PREFIX = "avecaesar.deals.";
const MOST_TABLES = 40;
const MOST_DEALS = 8; // of a table

/**
 * @typedef {object} Pledge
 * @property {string | null} commitment as it was told before the race; null: this browser came later
 * @property {boolean} changed whether another one was told for the same race, or a share was taken back
 * @property {string[]} shares added so far, as they were told last before the race
 * @property {string[]} given shares of this browser's that the server has confirmed
 * @property {string[]} offered shares of this browser's, confirmed or not
 * @property {string[]} before shares that were told before this browser gave its own
 * @property {number[]} people seats at which a person was seen before the race, or as it began
 * @property {number[]} mine this browser's own seats
 * @property {number[]} elsewhere those of them that another device held too
 * @property {number[]} named places of shares that were told to come from this browser's seat while it sat there
 * @property {number[]} sits its seats when it last looked before the race
 * @property {number[] | null} held those of them that it still had when it first looked at the race; null: it did not
 * @property {Record<string, Record<string, number[]>>} drawn by chariot of mine and cards of the deal not drawn yet: how many of each value those are
 */
/** `sits`: this browser's seats when it last looked. @typedef {{ at: number, deals: Record<string, Pledge>, sits?: number[] }} Kept */

/** What was kept while the page is open. @type {Map<string, Kept>} */
const open = new Map();

/** @returns {Pledge} */
const nothing = () => ({
  commitment: null,
  changed: false,
  shares: [],
  given: [],
  offered: [],
  before: [],
  people: [],
  mine: [],
  elsewhere: [],
  named: [],
  sits: [],
  held: null,
  drawn: {},
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
  const deals = Object.entries(notes.deals).slice(-MOST_DEALS);
  const told = { at: Date.now(), deals: Object.fromEntries(deals), sits: notes.sits };
  open.set(table, told);
  try {
    localStorage.setItem(PREFIX + table, JSON.stringify(told));
    forgetOld();
  } catch {
    // it holds while the page is open
  }
}

function forgetOld() {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
  if (names.length <= MOST_TABLES) return;
  const byAge = names.map((name) => ({ name, at: kept(name.slice(PREFIX.length)).at })).sort((a, b) => a.at - b.at);
  for (const { name } of byAge.slice(0, names.length - MOST_TABLES)) localStorage.removeItem(name);
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

/** Looks at the table, and keeps what may be needed later. @param {t.TableShown} shown */
export function observe(shown) {
  const { race, sealed } = shown;
  if (shown.plan.lesson) return; // its cards are no secret
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
    const grows = pledge.shares.every((share, i) => shown.shares[i] === share);
    if (pledge.commitment !== null && (pledge.commitment !== sealed || !grows)) pledge.changed = true;
    else [pledge.commitment, pledge.shares] = [sealed, shown.shares];
    noteSeats(pledge, shown);
  });
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
  for (const { chariot, undrawn, bottom, piles } of shown.hands) {
    if (piles.length || race.chariots[chariot].piles.length || race.asks === "deck" || race.asks === "sort") continue;
    const rest = undrawn.map((count, value) => count - bottom.filter((card) => card === value + 1).length);
    const cards = rest.reduce((sum, count) => sum + count, 0);
    (pledge.drawn[chariot] ??= {})[cards] ??= rest;
  }
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
export const pledgeOf = (table, game, race) => ({ ...nothing(), ...kept(table).deals[nameOf(game, race)] });
