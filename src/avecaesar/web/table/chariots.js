/**
 * A chariot from above: two horses, a car in its colour, and the shield with its sign, which always stands upright.
 * @module
 */
import { html } from "../lib/html.js";
import { liveryOf } from "../lib/liveries.js";
import { Shield } from "./signs.js";

const HORSE =
  "M-9-2.6C-6-4-1-3.8 3-3.2 6-2.9 8-3 10.5-2.2L13-.9C13.6-.4 13.6.4 13 .9L10.5 2.2C8 3 6 2.9 3 3.2-1 3.8-6 4-9 2.6-10.2 1.6-10.2-1.6-9-2.6z";

/**
 * A chariot that looks east; `place` turns and moves it.
 * @param {{colour: string, leads: boolean, asked?: boolean, take?: (rig: SVGGElement | null) => void}} props
 */
export function Chariot({ colour, leads, asked = false, take }) {
  const { paint, edge } = liveryOf(colour);
  return html`<g class=${asked ? "chariot asked" : "chariot"} ref=${take}>
    <g class="size">
      ${asked && html`<circle class="called" r="30" />`}
      <g class="rig">
        <ellipse class="shade" cx="2" cy="3" rx="30" ry="14" />
        ${[-5.6, 5.6].map(
          (y) =>
            html`<g transform=${`translate(14 ${y})`}>
              <path class="tail" d="M-9 0C-12-1-13 1-16 .4" />
              <path class="horse" d=${HORSE} />
              <path class="mane" d="M3 0H9.5" />
            </g>`,
        )}
        <path class="pole" d="M-6 0H18M4-7.4V7.4" />
        <rect class="wheel" x="-19" y="-14.6" width="15" height="4.2" rx="2" />
        <rect class="wheel" x="-19" y="10.4" width="15" height="4.2" rx="2" />
        <path
          class="car"
          fill=${paint}
          stroke=${edge}
          d="M-22-10.4H-8C-1-10.4 2-5 2 0S-1 10.4-8 10.4H-22C-24-7-24 7-22 10.4z"
        />
      </g>
      <g class="upright"><${Shield} colour=${colour} leads=${leads} /></g>
    </g>
  </g>`;
}

const SEAT = -10; // of the shield, behind the middle

/**
 * Puts a chariot on the board.
 * @param {SVGGElement} chariot @param {{x: number, y: number, angle: number}} at
 */
export function place(chariot, { x, y, angle }) {
  chariot.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  const rig = /** @type {SVGGElement | null} */ (chariot.querySelector(".rig"));
  const upright = chariot.querySelector(".upright");
  const turn = (angle * Math.PI) / 180;
  rig?.setAttribute("transform", `rotate(${angle.toFixed(1)})`);
  upright?.setAttribute(
    "transform",
    `translate(${(SEAT * Math.cos(turn)).toFixed(1)} ${(SEAT * Math.sin(turn)).toFixed(1)})`,
  );
}
