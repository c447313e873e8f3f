/**
 * The game at a glance: four pieces of the board with chariots on them and a line each, for the landing page; some of
 * them again after the first race.
 * @module
 * @import { CourseShown } from "../lib/types.js"
 */
import * as api from "../lib/api.js";
import { html, useEffect, useState } from "../lib/html.js";
import words from "../words/coach.js";

const COURSE = "white";
const DIRECTION = "clockwise";
const USUAL = 340; // units of the board across: on larger pieces chariots are drawn larger

/** @typedef {typeof import("../board/chariots.js")} Chariots */
/** @typedef {{ course: CourseShown, chariots: Chariots }} Circus */
/** @typedef {[colour: string, space: string]} Standing */

/** @type {Promise<Circus> | null} */
let fetched = null;

/** The course and the chariots, asked for once. */
function circus() {
  fetched ??= Promise.all([api.course(COURSE, DIRECTION), import("../board/chariots.js")]).then(([course, chariots]) => ({
    course,
    chariots,
  }));
  fetched.catch(() => (fetched = null));
  return fetched;
}

/**
 * A piece of the board. The first chariot of those who stand there leads if `leads`.
 * @param {{ at: [number, number], wide?: number, stand: Standing[], leads?: boolean, way?: string[], children?: any }} props
 */
function Piece({ at: [x, y], wide = USUAL, stand, leads = false, way = [], children }) {
  const [ready, setReady] = useState(/** @type {Circus | null} */ (null));
  useEffect(() => {
    let wanted = true;
    circus().then(
      (come) => wanted && setReady(come),
      () => undefined, // the lines below say it all the same
    );
    return () => void (wanted = false);
  }, []);
  const spaces = new Map(ready?.course.spaces.map((space) => [space.name, space]));
  const points = way.flatMap((name) => spaces.get(name) ?? []).map((space) => `${space.x} ${space.y}`);
  return html`<svg class="glance-piece" viewBox=${`${x} ${y} ${wide} ${(wide * 9) / 16}`} style=${{ "--chariot": (1.2 * wide) / USUAL }} aria-hidden="true">
    ${
      ready &&
      html`<image href=${api.picture(COURSE, DIRECTION)} width=${ready.course.width} height=${ready.course.height} />
        ${points.length > 1 && html`<path class="glance-way-edge" d=${`M${points.join("L")}`} /><path class="glance-way" d=${`M${points.join("L")}`} />`}
        ${stand.map(([colour, name], i) => {
          const space = spaces.get(name);
          return (
            space &&
            html`<${ready.chariots.Chariot}
              key=${colour}
              colour=${colour}
              leads=${leads && i === 0}
              take=${(/** @type {SVGGElement | null} */ rig) => rig && ready.chariots.place(rig, { x: space.x, y: space.y, angle: space.heading })}
            />`
          );
        })}
        ${children}`
    }
  </svg>`;
}

/** A card. @param {{ at: string, value: number, barred?: boolean }} props */
const Card = ({ at, value, barred = false }) => html`<g transform=${at}>
  <rect class="glance-card" x="-24" y="-33" width="48" height="66" rx="6" />
  <text class="glance-value" y="14">${value}</text>
  ${barred && html`<path class="glance-bar" d="M-27 30 27-30" />`}
</g>`;

function CardPicture() {
  return html`<${Piece} at=${[690, 292]} stand=${[["red", "S7b"]]} way=${["S7b", "S8b", "S9b", "S10b", "N1a"]}>
    <${Card} at="translate(862 441) rotate(-6)" value=${4} />
  <//>`;
}

export function LanePicture() {
  return html`<${Piece} at=${[372, 718]} stand=${[["red", "Q1a"], ["blue", "E2a"], ["green", "E3b"]]} />`;
}

export function SixPicture() {
  return html`<${Piece} at=${[128, 290]} stand=${[["red", "J1a"], ["blue", "G3a"]]} leads>
    <${Card} at="translate(418 436) rotate(7)" value=${6} barred />
  <//>`;
}

export function AlleyPicture() {
  return html`<${Piece} at=${[418, 18]} wide=${460} stand=${[["red", "alley3"]]}>
    <g transform="translate(596 188)">
      <circle class="glance-coin" r="15" />
      <path class="glance-shine" d="M-5 6V-4L0-8 5-4V6M-8 7H8" />
    </g>
  <//>`;
}

export function Glance() {
  return html`<section class="glance" aria-labelledby="glance-title">
    <h2 id="glance-title">${words.glance.title}</h2>
    <ul>
      <li class="card"><${CardPicture} /><p>${words.glance.card}</p></li>
      <li class="card"><${LanePicture} /><p>${words.glance.lane}</p></li>
      <li class="card"><${SixPicture} /><p>${words.glance.six}</p></li>
      <li class="card"><${AlleyPicture} /><p>${words.glance.alley}</p></li>
    </ul>
  </section>`;
}
