/**
 * How each colour of chariot looks: its paint, its ink and, for those who see colours otherwise, its sign.
 * @module
 * @import { Livery } from "./paints.js"
 * @import { Colour } from "./types.js"
 */
import { html } from "./html.js";
import { LIVERIES } from "./paints.js";
import { words } from "./words.js";

export { LIVERIES };

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
