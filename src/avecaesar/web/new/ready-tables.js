/**
 * Tables that are ready: whoever wants no more chooses one and begins. What they leave open is as the menu has it.
 * @module
 * @import * as t from "../lib/types.js"
 * @import { Plan } from "./form.js"
 */
import { html } from "../lib/html.js";
import { colourOf } from "../lib/plans.js";
import { myColour, myName } from "../lib/prefs.js";
import { words } from "../lib/words.js";
import { dressed } from "./seats.js";

/** @typedef {"quick" | "friends" | "screen" | "ausgebremst" | "tournament" | "open"} Ready */

/** @param {t.SeatKind} kind @returns {t.SeatPlan} */
const seat = (kind) => ({ kind, name: "", colour: null, driver: "" });

/** In what each differs from the usual table; its seats come after the reader's own. */
const CHANGES = /** @type {Record<Ready, Partial<Plan>>} */ ({
  quick: {},
  friends: { seats: [seat("friend"), seat("friend"), seat("driver")] },
  screen: { seats: [seat("here"), seat("here")] },
  ausgebremst: { edition: "ausgebremst" },
  tournament: { tournament: true },
  open: { seats: [seat("friend"), seat("friend"), seat("friend")], open: true },
});

const SIGNS = {
  quick: "M0-9a9 9 0 1 0 .01 0zM0-9V9M-9 0H9M-6-6L6 6M6-6L-6 6",
  friends: "M-3 3L3-3M-1-5L3-9Q9-7 8-2L4 2M1 5L-3 9Q-9 7-8 2L-4-2",
  screen: "M-10-8H10V5H-10zM-4 9H4M0 5V9",
  ausgebremst: "M-9-6H-2V8H-9zM-2-8H5V6H-2zM5-5H10V8H5",
  tournament: "M-6-9H6V-2Q6 4 0 4T-6-2zM-6-6H-10Q-10 0-6 0M6-6H10Q10 0 6 0M0 4V9M-5 9H5",
  open: "M-9 9V-3Q-9-10 0-10T9-3V9M-9 9H9M-4 9V0Q-4-4 0-4T4 0V9",
};

/** @param {string | undefined} name @returns {Ready} */
export const readyOf = (name) => (name && name in CHANGES ? /** @type {Ready} */ (name) : "quick");

/**
 * The whole plan of a table that is ready, for this reader.
 * @param {t.Menu} menu
 * @param {Ready} ready
 * @returns {Plan}
 */
export function readyPlan(menu, ready) {
  const { seats, ...changes } = CHANGES[ready];
  const [own, ...others] = menu.defaults.seats;
  const colour = menu.colours.find((one) => one === colourOf(myColour.value)) ?? null;
  const me = { ...own, ...seat("here"), name: myName.value.trim(), colour };
  return { ...menu.defaults, ...changes, seats: dressed([me, ...(seats ?? others)], menu.colours) };
}

/** @param {{ menu: t.Menu, chosen: Ready | null, choose: (ready: Ready) => void }} props */
export function ReadyTables({ menu, chosen, choose }) {
  const all = /** @type {Ready[]} */ (Object.keys(CHANGES));
  const edition = menu.editions.find((one) => one.name === CHANGES.ausgebremst.edition)?.short ?? "";
  return html`<div class="ready" role="radiogroup" aria-label=${words.plan.readyTables}>
    ${all.map((ready) => {
      const told = words.plan.ready[ready];
      return html`<label class="ready-table card" key=${ready}>
        <input type="radio" name="ready" checked=${chosen === ready} onChange=${() => choose(ready)} />
        <svg class="coin" viewBox="-14 -14 28 28" aria-hidden="true"><path d=${SIGNS[ready]} /></svg>
        <span>
          <strong>${"title" in told ? told.title : edition}</strong>
          <small>${told.about}</small>
        </span>
      </label>`;
    })}
  </div>`;
}
