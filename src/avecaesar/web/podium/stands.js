/**
 * The stands of the circus seen from the arena, with the people of the board and Caesar in his box.
 * @module
 */
import { html } from "../lib/html.js";

const [WIDTH, HEIGHT] = [1200, 420];
const [TOP, ROW, ROWS] = [96, 16, 14]; // where the rows begin, how high one is, how many there are
const WALL = TOP + ROW * ROWS;
const SAND = WALL + 26;
const AISLES = [150, 375, 825, 1050]; // the stairs between the blocks
const AISLE = 13; // half of one

const TUNICS = ["#2e8078", "#c8402a", "#3f6f9a", "#d9a441", "#7a8f4d", "#8a4f7d", "#b9794a"];

/** Somebody's seat: not on stairs, not everywhere, not quite in line. @param {number} row @param {number} seat */
function seat(row, seat) {
  const chance = (seat * 7919 + row * 104729 + seat * seat * 31) % 97;
  const x = seat * 12 + (row % 2) * 6 + (chance % 5) - 2;
  if (chance < 9 || AISLES.some((aisle) => Math.abs(aisle - x) < AISLE + 5)) return [];
  return [{ tunic: chance % TUNICS.length, d: `M${x} ${TOP + row * ROW + 9 + (chance % 3)}h0` }];
}

const PEOPLE = Array.from({ length: ROWS }, (_, row) => Array.from({ length: WIDTH / 12 + 1 }, (_, i) => seat(row, i)).flat()).flat();
const WORN = TUNICS.map((tunic, i) => ({ tunic, d: PEOPLE.flatMap((one) => (one.tunic === i ? one.d : [])).join("") }));
const HEADS = PEOPLE.map((one) => one.d).join("");
const BENCHES = Array.from({ length: ROWS }, (_, row) => `M0 ${TOP + row * ROW + 0.5}H${WIDTH}`).join("");
const SHADES = Array.from({ length: ROWS }, (_, row) => `M0 ${TOP + row * ROW + 14}H${WIDTH}`).join("");
const STAIRS = AISLES.map((x) => `M${x - AISLE} ${TOP}h${2 * AISLE}V${WALL}h${-2 * AISLE}z`).join("");
const STEPS = AISLES.map((x) =>
  Array.from({ length: ROWS * 2 }, (_, i) => `M${x - AISLE} ${TOP + (i * ROW) / 2}h${2 * AISLE}`).join(""),
).join("");
const ARCADE = Array.from({ length: 50 }, (_, i) => `M${i * 24 + 5} ${TOP}V${TOP - 14}a7 7 0 0 1 14 0V${TOP}z`).join("");
const SLABS = Array.from({ length: 25 }, (_, i) => `M${i * 48 + 24} ${WALL}V${SAND}`).join("");

/** Who sits in the box: where, in what, and under what hair. */
const COURT = [
  { x: -66, tunic: "#b23b2a", cloak: "#7f2418", hair: "#c9a24a" },
  { x: -34, tunic: "#f4ead6", cloak: "#3f6f9a", hair: "#5a3a22" },
  { x: 0, tunic: "#fffaf0", cloak: "#6d2450", hair: "#5f8f3a" },
  { x: 34, tunic: "#f4ead6", cloak: "#d9a441", hair: "#5a3a22" },
  { x: 66, tunic: "#b23b2a", cloak: "#7f2418", hair: "#c9a24a" },
];
const FRINGE = "M-98-100" + "q7 11 14 0".repeat(14);
const GARLAND = "M-100-25" + "q25 17 50 0".repeat(4);

/** Caesar's box as on the board. */
function Box() {
  return html`<g class="stands-box" transform=${`translate(${WIDTH / 2} 196) scale(1.25)`}>
    <rect x="-92" y="-108" width="184" height="92" fill="#6d2450" />
    <path d="M-70-104V-30M-24-104V-30M24-104V-30M70-104V-30" stroke="#3a0f2b" stroke-width="7" opacity="0.45" />
    <rect x="-16" y="-72" width="32" height="46" rx="6" fill="#d9a441" stroke="#8c5a2b" stroke-width="1.4" />
    ${COURT.map(
      ({ x, tunic, cloak, hair }) =>
        html`<g transform=${`translate(${x} -30)`}>
          <path d="M-9 0C-9-14-6-20 0-20 6-20 9-14 9 0z" fill=${tunic} />
          <path d="M-9 0C-9-14-6-20 0-20 2-12-2-4-3 0z" fill=${cloak} />
          <circle cy="-24" r="5.2" fill="#e3b48c" />
          <path d="M-5-26A5.4 5.4 0 0 1 5-26" fill="none" stroke=${hair} stroke-width="2.6" />
        </g>`,
    )}
    ${[-88, -50, 42, 80].map(
      (x) => html`<rect class="stands-marble" x=${x} y="-100" width="8" height="72" />
        <path d=${`M${x - 3}-100h14M${x - 3}-28h14`} stroke="#f4ecdc" stroke-width="5" />`,
    )}
    <path class="stands-marble" d="M-102-112L0-146 102-112z" />
    <circle cy="-123" r="7.5" fill="none" stroke="#d9a441" stroke-width="3" stroke-dasharray="3.4 1" />
    <rect x="-102" y="-114" width="204" height="14" fill="#6d2450" stroke="#d9a441" stroke-width="1.4" />
    <path d=${FRINGE} fill="#6d2450" stroke="#d9a441" stroke-width="2" />
    <rect class="stands-marble" x="-108" y="-30" width="216" height="27" />
    <path d=${GARLAND} fill="none" stroke="#4f7a3c" stroke-width="5" />
    <path d=${GARLAND} fill="none" stroke="#d9604c" stroke-width="3" stroke-dasharray="0 9" stroke-linecap="round" />
  </g>`;
}

/** The circus behind the podium. @param {{ caesar: boolean }} props whether his box is to be seen */
export function Stands({ caesar }) {
  return html`<svg class="stands" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="xMidYMax slice" aria-hidden="true">
    <path class="stands-stone" d=${`M0 ${TOP - 26}H${WIDTH}V${SAND}H0z`} />
    <path class="stands-arcade" d=${ARCADE} />
    <path class="stands-gold" d=${`M0 ${TOP - 27}H${WIDTH}`} />
    <path class="stands-shades" d=${SHADES} />
    <path class="stands-benches" d=${BENCHES} />
    <g class="stands-people">
      ${WORN.map(({ tunic, d }) => html`<path class="stands-body" stroke=${tunic} d=${d} />`)}
      <path class="stands-head" transform="translate(0 -4)" d=${HEADS} />
    </g>
    <path class="stands-stairs" d=${STAIRS} />
    <path class="stands-benches" d=${STEPS} />
    <path class="stands-wall" d=${`M0 ${WALL}H${WIDTH}V${SAND}H0z`} />
    <path class="stands-benches" d=${SLABS} />
    <path class="stands-gold" d=${`M0 ${WALL}H${WIDTH}`} />
    ${caesar && html`<${Box} />`}
    <path class="stands-sand" d=${`M0 ${SAND}H${WIDTH}V${HEIGHT}H0z`} />
    <path class="stands-shadow" d=${`M0 ${SAND}H${WIDTH}V${SAND + 10}H0z`} />
  </svg>`;
}
