/**
 * Whom the reader would rather not hear: his sayings are hidden on this browser, and nobody is told.
 * @module
 * @import * as t from "./types.js"
 */
import { remembered } from "./prefs.js";

const MOST = 100; // remembered; the oldest are forgotten

/** By table and seat: the name of who was muted there. Somebody else on the seat is heard. */
export const muted = remembered("muted", /** @type {Record<string, string>} */ ({}));

/** @param {string} table @param {number} seat */
const key = (table, seat) => `${table} ${seat}`;

/** @param {t.TableShown | null} shown @param {number | null} seat */
export function isMuted(shown, seat) {
  const name = shown?.seats.find((one) => one.seat === seat)?.name;
  return Boolean(shown && seat !== null && name !== undefined && muted.value[key(shown.table, seat)] === name);
}

/** @param {t.TableShown} shown @param {t.SeatShown} seat @param {boolean} on */
export function mute(shown, seat, on) {
  const { [key(shown.table, seat.seat)]: _, ...others } = muted.value;
  const kept = Object.entries(others).slice(1 - MOST);
  muted.value = Object.fromEntries(on ? [...kept, [key(shown.table, seat.seat), seat.name]] : kept);
}
