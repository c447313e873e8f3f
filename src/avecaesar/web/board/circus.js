/**
 * What a board does while chariots race on it: sand flies, people jump, a coin flies to Caesar's box and it glints.
 * @module
 * @import { Board, Unpainted } from "./picture.js"
 * @import { Posture } from "./motion.js"
 */
import { play } from "../lib/sounds.js";
import { Crowd } from "./crowd.js";
import { Sand } from "./sand.js";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const PASSING = 70; // units between two cheers
const NEAR = 170; // units from a chariot to those who cheer it
const MOVE = /translate\((-?[\d.]+)[ ,]+(-?[\d.]+)\)/;

/** @param {string} name @param {Record<string, string>} attributes @param {SVGElement[]} inside */
function make(name, attributes, ...inside) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...inside);
  return /** @type {SVGGraphicsElement} */ (node);
}

/** Where Caesar sits: under his canopy, or above the alley where the board has none. @param {Board | Unpainted} board */
export function caesarOn(board) {
  const box = board.painting?.querySelector('rect[fill="url(#board-cloth)"]')?.parentElement;
  const found = MOVE.exec(box?.getAttribute("transform") ?? "");
  if (found) return { x: Number(found[1]), y: Number(found[2]) - 62 };
  const alley = board.spaces.filter((space) => space.alley);
  const middle = (/** @type {"x" | "y"} */ side) => alley.reduce((sum, space) => sum + space[side], 0) / (alley.length || 1);
  return { x: middle("x"), y: middle("y") - 70 };
}

export class Circus {
  /**
   * @param {Board | Unpainted} board
   * @param {SVGGElement} ground below the chariots
   * @param {SVGGElement} air above them
   */
  constructor(board, ground, air) {
    this.board = board;
    this.caesar = caesarOn(board);
    const people = make("g", { class: "stage-crowd" });
    ground.replaceChildren(people);
    this.crowd = board.painting && new Crowd(board.painting, /** @type {SVGGElement} */ (people));
    this.sand = new Sand(ground);
    this.moving = false;
    this.passed = 0;
    const { x, y } = this.caesar;
    this.glint = make(
      "g",
      { class: "stage-glint", transform: `translate(${x} ${y})` },
      make("path", { d: "M0-64 9-9 64 0 9 9 0 64-9 9-64 0-9-9z" }),
    );
    this.coin = make(
      "g",
      { class: "stage-coin" },
      make("circle", { r: "13" }),
      make("circle", { r: "9.5", class: "stage-coin-rim" }),
      make("path", { d: "M-4 5C-6-1-3-7 2-7 5-7 6-4 5-2L6 0 4 1C4 4 2 5 0 5z" }),
    );
    air.replaceChildren(this.glint, this.coin);
  }

  close() {
    this.crowd?.leave();
  }

  /** A chariot sets off, for so many milliseconds. @param {number} time */
  begins(time) {
    this.moving = time > 0;
    this.passed = 0;
    if (!this.moving) return;
    this.sand.begin();
    if (time < 250) return; // too fast to be heard
    const length = time / 1000;
    play("hooves", { length, speed: Math.min(1, 0.9 / length), gain: 0.7 });
    play("wheels", { length, gain: 0.5 });
  }

  /** It drives here. @param {Posture} at */
  passes(at) {
    if (!this.moving || !at.driven) return;
    this.sand.roll(at);
    if (at.driven - this.passed < PASSING) return;
    this.passed = at.driven;
    this.crowd?.cheer(at, { reach: NEAR });
  }

  /** It stands. */
  ends() {
    if (this.moving) this.sand.end();
    this.moving = false;
  }

  /** @param {{ x: number, y: number }} at @param {number} times */
  cheer(at, times) {
    this.crowd?.cheer(at, { reach: NEAR * 2, times });
  }

  wave() {
    this.crowd?.wave(this.board);
  }

  /** The first one is home: everybody is on his feet. */
  home() {
    this.crowd?.cheer(this.caesar, { reach: 4000, times: 3 });
  }

  /** A coin flies to Caesar. @param {{ x: number, y: number }} from @param {boolean} own */
  tribute(from, own) {
    this.cheer(this.caesar, own ? 4 : 2);
    if (STILL.matches || document.hidden) return;
    const { x, y } = this.caesar;
    const size = own ? 1.5 : 1;
    const at = (/** @type {number} */ part, /** @type {number} */ high, /** @type {number} */ wide) =>
      `translate(${(from.x + (x - from.x) * part).toFixed(1)}px, ${(from.y + (y - from.y) * part - high).toFixed(1)}px) scale(${(size * wide).toFixed(2)}, ${size})`;
    const flight = own ? 850 : 600;
    this.coin.animate(
      {
        opacity: [1, 1, 1, 1, 1, 1, 1, 0],
        transform: [
          at(0, 0, 1),
          at(0.16, 42, 0.2),
          at(0.34, 74, 1),
          at(0.52, 84, 0.2),
          at(0.7, 68, 1),
          at(0.86, 36, 0.2),
          at(1, 0, 1),
          at(1, 0, 0.4),
        ],
      },
      { duration: flight },
    );
    this.glint.animate(
      {
        opacity: [0, 1, 0],
        transform: [0.2, own ? 1.5 : 1, 0.3].map(
          (wide, i) => `translate(${x}px, ${y}px) rotate(${i * 50}deg) scale(${wide})`,
        ),
      },
      { duration: 700, delay: flight - 120 },
    );
  }
}
