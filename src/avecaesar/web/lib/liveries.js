/**
 * How each colour of chariot looks: its paint, its ink and, for those who see colours otherwise, its sign.
 * @module
 * @import { Colour } from "./types.js"
 */
import { html } from "./html.js";
import { words } from "./words.js";

/** @typedef {{ paint: string, ink: string, edge: string, sign: string }} Livery  the sign is path data within a circle of radius 10 */

const FLAME =
  "M.4-8.2C4.6-4.6 6-1.6 6 1.4a6 6 0 0 1-12 0c0-2 .9-3.8 2.3-5.2.2 1.5.9 2.4 1.8 2.8-.2-2.6.2-5.2 2.3-7.2zM.2 1.4c-1.4 1-2 2-2 3.1a2 2 0 0 0 4 0C2.2 3.3 1.5 2.3.2 1.4z";
const WAVES =
  "M-8-1.8C-5.6-6-2.6-6 0-3.4 2.4-1 4.8-1.2 8-4.2V-.6C4.8 2.2 2.4 2.2 0 0-2.6-2.4-5.4-2-8 1.8zM-8 4.8C-5.6.6-2.6.6 0 3.2 2.4 5.6 4.8 5.4 8 2.4V6C4.8 8.6 2.4 8.6 0 6.6-2.6 4.2-5.4 4.6-8 8z";
const LEAF = "M7-7.4C8 .6 5 6-1.6 5.4L-5.6 8.6-6.8 7.4-3.4 3.4C-5.8-2.8-.8-7.2 7-7.4zM3.6-4 -1.8 2.8 2.4-1.6z";
const BOLT = "M2.2-8.4-5.6 1.6H-.6L-2.6 8.6 5.6-2H.6z";
const STAR = "M0-8.2 2.1-2.7 8-2.5 3.4 1.1 5 6.8 0 3.5-5 6.8-3.4 1.1-8-2.5-2.1-2.7z";
const MOON = "M3-7.4A8 8 0 1 0 7.6 3.2 6.4 6.4 0 0 1 3-7.4z";

/** @type {Record<Colour, Livery>} */
export const LIVERIES = {
  red: { paint: "#c8301f", ink: "#fff6e6", edge: "#7d180e", sign: FLAME },
  blue: { paint: "#2463ae", ink: "#f4f9ff", edge: "#123a6c", sign: WAVES },
  green: { paint: "#2f7d46", ink: "#f4fff2", edge: "#174a27", sign: LEAF },
  yellow: { paint: "#f2b81c", ink: "#3a2a1d", edge: "#96690a", sign: BOLT },
  white: { paint: "#fbf7ec", ink: "#3a2a1d", edge: "#8b7c66", sign: STAR },
  black: { paint: "#2b2725", ink: "#f3e6c8", edge: "#0f0d0c", sign: MOON },
};

/**
 * How a colour looks; a record may have colours that are not ours.
 * @param {string} colour
 * @returns {Livery}
 */
export function liveryOf(colour) {
  return LIVERIES[/** @type {Colour} */ (colour)] ?? LIVERIES.white;
}

/**
 * A round badge in a colour, with its sign. It is named for screen readers only where nothing beside it names it.
 * @param {{ colour: string, class?: string, named?: boolean }} props
 */
export function Badge({ colour, class: more = "", named = false }) {
  const livery = liveryOf(colour);
  const name = words.shell.colours[/** @type {Colour} */ (colour)] ?? colour;
  return html`<svg
    class=${`badge ${more}`}
    viewBox="-12 -12 24 24"
    role=${named ? "img" : undefined}
    aria-label=${named ? name : undefined}
    aria-hidden=${named ? undefined : "true"}
  >
    <circle r="11" fill=${livery.paint} stroke=${livery.edge} stroke-width="1.6" />
    <path d=${livery.sign} fill=${livery.ink} fill-rule="evenodd" transform="scale(.86)" />
  </svg>`;
}
