/**
 * A chariot from above: two horses, a car in its colour, and the shield with its sign, which always stands upright. In
 * bends the team turns before the car does, and whoever drives leans.
 * @module
 * @import { Posture } from "./motion.js"
 */
import { html } from "../lib/html.js";
import { liveryOf } from "../lib/liveries.js";
import { Shield } from "./signs.js";

const HORSE =
  "M-9-2.6C-6-4-1-3.8 3-3.2 6-2.9 8-3 10.5-2.2L13-.9C13.6-.4 13.6.4 13 .9L10.5 2.2C8 3 6 2.9 3 3.2-1 3.8-6 4-9 2.6-10.2 1.6-10.2-1.6-9-2.6z";

/**
 * A chariot that looks east; `place` turns and moves it.
 * @param {{colour: string, leads: boolean, asked?: boolean, own?: boolean, take?: (rig: SVGGElement | null) => void}} props
 */
export function Chariot({ colour, leads, asked = false, own = false, take }) {
  const { paint, edge } = liveryOf(colour);
  return html`<g class=${`chariot${asked ? " asked" : ""}${own ? " own" : ""}`} ref=${take}>
    <g class="size">
      ${own && html`<circle class="own-ring" r="31" />`}
      ${asked && html`<circle class="called" r="30" />`}
      <g class="rig">
        <ellipse class="shade" cx="2" cy="3" rx="30" ry="14" />
        <g class="team">
          ${[-5.6, 5.6].map(
            (y) =>
              html`<g class="gallop" transform=${`translate(14 ${y})`}>
                <path class="tail" d="M-9 0C-12-1-13 1-16 .4" />
                <path class="horse" d=${HORSE} />
                <path class="mane" d="M3 0H9.5" />
              </g>`,
          )}
          <path class="pole" d="M-6 0H18M4-7.4V7.4" />
        </g>
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
const HITCH = -4; // where the pole turns
const STRIDE = 30; // units of the board from one leap of a horse to the next
const LEAP = 1.9; // how far a horse goes ahead of itself
const LEAN = 0.16; // of the shield, for each degree that the horses are turned

/** @typedef {{ rig: Element | null, upright: Element | null, team: Element | null, horses: Element[] }} Parts */
/** @type {WeakMap<SVGGElement, Parts>} */
const known = new WeakMap();

/** What of a chariot moves by itself. @param {SVGGElement} chariot */
function partsOf(chariot) {
  let parts = known.get(chariot);
  if (!parts) {
    const [rig, upright, team] = [".rig", ".upright", ".team"].map((part) => chariot.querySelector(part));
    parts = { rig, upright, team, horses: [...chariot.querySelectorAll(".gallop")] };
    known.set(chariot, parts);
  }
  return parts;
}

/**
 * Puts a chariot on the board.
 * @param {SVGGElement} chariot @param {Posture} at
 */
export function place(chariot, { x, y, angle, bend = 0, speed = 0, driven = 0 }) {
  const { rig, upright, team, horses } = partsOf(chariot);
  const turn = (angle * Math.PI) / 180;
  const [along, aside] = [SEAT, -bend * LEAN * speed];
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  chariot.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  rig?.setAttribute("transform", `rotate(${angle.toFixed(1)})`);
  team?.setAttribute("transform", `rotate(${bend.toFixed(1)} ${HITCH} 0)`);
  horses.forEach((horse, i) => {
    const leap = Math.sin((driven / STRIDE + i * 0.38) * 2 * Math.PI) * LEAP * speed;
    horse.setAttribute("transform", `translate(${(14 + leap).toFixed(2)} ${i ? 5.6 : -5.6})`);
  });
  upright?.setAttribute(
    "transform",
    `translate(${(along * cos - aside * sin).toFixed(1)} ${(along * sin + aside * cos).toFixed(1)})`,
  );
}
