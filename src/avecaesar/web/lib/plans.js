/**
 * The tables that are laid with one click, with the reader's own name and colour.
 * @module
 * @import * as t from "./types.js"
 */
import { LIVERIES } from "./liveries.js";
import { myColour, myName } from "./prefs.js";

const DRIVERS = 3;

/** @type {t.SeatPlan} */
const driver = { kind: "driver" };

/** @param {string} colour @returns {t.Colour | null} */
export function colourOf(colour) {
  return colour in LIVERIES ? /** @type {t.Colour} */ (colour) : null;
}

/**
 * The reader's own seat.
 * @returns {t.SeatPlan}
 */
function myself() {
  return { kind: "here", name: myName.value.trim(), colour: colourOf(myColour.value) };
}

/**
 * A race against the computer's drivers.
 * @returns {t.NewTable}
 */
export const raceNow = () => ({ seats: [myself(), ...Array(DRIVERS).fill(driver)] });

/**
 * A race of the computer's drivers among themselves.
 * @returns {t.NewTable}
 */
export const toWatch = () => ({ seats: Array(DRIVERS + 1).fill(driver) });

/**
 * The first race, with a coach; the server knows what is raced.
 * @param {string} title
 * @returns {t.NewTable}
 */
export const lesson = (title) => ({ seats: [myself()], lesson: true, title });
