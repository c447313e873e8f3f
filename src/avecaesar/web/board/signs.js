/**
 * A chariot's shield: its colour and sign, with a wreath for who leads.
 * @module
 */
import { html } from "../lib/html.js";
import { liveryOf } from "../lib/liveries.js";

const LEAVES = [-58, -32, -6, 20, 46, 70].flatMap((angle) => [angle, 180 - angle]);

/**
 * Leaves on both sides of a circle, open at the top.
 * @param {{ radius: number }} props
 */
export function Wreath({ radius }) {
  return html`<g class="wreath">
    ${LEAVES.map((angle) => {
      const turn = (angle * Math.PI) / 180;
      const at = `${(Math.cos(turn) * radius).toFixed(2)} ${(Math.sin(turn) * radius).toFixed(2)}`;
      const lean = angle <= 90 ? angle - 64 : angle + 64;
      return html`<ellipse rx="3.5" ry="1.8" transform=${`translate(${at}) rotate(${lean})`} />`;
    })}
  </g>`;
}

/**
 * The shield within a picture, round its origin.
 * @param {{ colour: string, leads?: boolean }} props
 */
export function Shield({ colour, leads = false }) {
  const { paint, ink, edge, sign } = liveryOf(colour);
  return html`<g>
    <circle r="10.5" fill=${paint} stroke=${edge} stroke-width="1.5" />
    <path d=${sign} fill=${ink} fill-rule="evenodd" transform="scale(.84)" />
    ${leads && html`<${Wreath} radius=${12.6} />`}
  </g>`;
}

/**
 * The shield as a small picture of its own, for lists; beside it stands a name.
 * @param {{ colour: string, leads?: boolean }} props
 */
export function Mark({ colour, leads = false }) {
  return html`<svg class="mark" viewBox="-17 -17 34 34" aria-hidden="true">
    <${Shield} colour=${colour} leads=${leads} />
  </svg>`;
}
