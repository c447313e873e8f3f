/**
 * What the page reads from a chronicle.
 * @module
 * @import { Chronicle, Chronicled } from "../lib/types.js"
 */

/**
 * Those that took a place first, then those that arrived, then the others by how far they came.
 * @param {Chronicle} chronicle
 * @returns {Chronicled[]}
 */
export function ranked({ chariots }) {
  /** @param {Chronicled} one */
  const order = (one) => [one.place ?? 99, one.arrival ?? 99, one.way.at(-1) ?? 0];
  return [...chariots].sort((a, b) => {
    const [one, other] = [order(a), order(b)];
    return one.map((part, i) => part - other[i]).find((difference) => difference) ?? 0;
  });
}

/** Whether a chariot came home, and not as one that was disqualified. @param {Chronicled} chariot */
export const cameHome = ({ status, disqualified }) => status === "home" && !disqualified;

/** Whether it left the race on the way. @param {Chronicled} chariot */
export const leftTheRace = (chariot) => chariot.ended !== null && !cameHome(chariot);

/**
 * The turns in which a chariot moved, missed its turn or paid, and how near home it was then; from the grid to its end.
 * Whoever pays may come no nearer by it: the alley can be the longer way.
 * @param {Chronicled} chariot
 * @param {number | null} [also] a turn that is marked as well
 * @returns {[number, number][]}
 */
export function corners(chariot, also = null) {
  const { way, missed, paid } = chariot;
  const last = chariot.ended ?? way.length - 1;
  const marked = [0, last, paid, also, ...missed];
  return way
    .slice(0, last + 1)
    .flatMap((spaces, turn) =>
      spaces !== way[turn - 1] || marked.includes(turn) ? [[turn, spaces]] : [],
    );
}

/**
 * Places in a row, each as near to where it wants to be as the others allow.
 * @param {number[]} wanted in order
 * @param {number} apart
 * @param {number} most where the last may stand
 * @returns {number[]}
 */
export function spread(wanted, apart, most) {
  /** @type {number[]} */
  const found = [];
  for (const at of wanted) found.push(Math.max(at, (found.at(-1) ?? -Infinity) + apart));
  return found.map((at, i) => Math.min(at, most - (found.length - 1 - i) * apart));
}
