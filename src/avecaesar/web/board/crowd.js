/**
 * The people in the stands, taken out of the painting in blocks, so that they can jump: where a chariot passes, or all
 * of them one after another.
 * @module
 */

const BLOCK = 64; // units of the board: who sits in one such square jumps together
const DOT = /m(-?\d*\.?\d+) ?(-?\d*\.?\d+)h0/g;
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {{ x: number, y: number, group: SVGGElement }} Block */

/** @param {string} name @param {Record<string, string>} attributes */
function make(name, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return /** @type {SVGGElement} */ (node);
}

export class Crowd {
  /**
   * @param {SVGSVGElement} painting whose people are hidden as long as these are there
   * @param {SVGGElement} layer
   */
  constructor(painting, layer) {
    const worn = [...painting.querySelectorAll('use[href^="#board-crowd-"]')];
    this.painted = [...new Set(worn.flatMap((use) => use.parentElement ?? []))];
    this.skin = this.painted.find((group) => group.getAttribute("stroke"))?.getAttribute("stroke") ?? "";
    this.layer = layer;
    /** @type {Map<string, Map<string, string>>} */
    const seats = new Map();
    for (const use of worn) {
      const tunic = use.getAttribute("stroke");
      const dots = painting.querySelector(use.getAttribute("href") ?? "")?.getAttribute("d");
      if (tunic && dots) sort(dots, tunic, seats);
    }
    this.blocks = [...seats].map(([key, tunics]) => this.#block(key, tunics));
    if (!this.blocks.length) return;
    layer.replaceChildren(...this.blocks.map((block) => block.group));
    for (const group of this.painted) group.setAttribute("display", "none");
  }

  /** Everybody sits down in the painting again. */
  leave() {
    for (const group of this.painted) group.removeAttribute("display");
    this.layer.replaceChildren();
  }

  /** @param {string} key @param {Map<string, string>} tunics @returns {Block} */
  #block(key, tunics) {
    const [column, row] = key.split(" ").map(Number);
    const group = make("g", {});
    for (const [tunic, d] of tunics) {
      const bodies = make("path", { d, class: "stage-body" });
      bodies.style.setProperty("--tunic", tunic);
      group.append(bodies);
    }
    const heads = make("path", { d: [...tunics.values()].join(""), class: "stage-head", transform: "translate(0 -4)" });
    heads.style.setProperty("--tunic", this.skin);
    group.append(heads);
    return { x: (column + 0.5) * BLOCK, y: (row + 0.5) * BLOCK, group };
  }

  /**
   * Who sits near a place jumps, the nearest first.
   * @param {{ x: number, y: number }} at
   * @param {{ reach: number, times?: number }} how
   */
  cheer({ x, y }, { reach, times = 1 }) {
    for (const block of this.blocks) {
      const far = Math.hypot(block.x - x, block.y - y);
      if (far < reach) jump(block, far * 1.1, times, 1 - (far / reach) * 0.5);
    }
  }

  /** Once round the circus. @param {{ width: number, height: number }} board */
  wave({ width, height }) {
    for (const block of this.blocks) {
      const turn = Math.atan2(block.y - height / 2, block.x - width / 2) / (2 * Math.PI) + 0.5;
      jump(block, turn * 1500, 2, 1);
    }
  }
}

/** Puts dots into the blocks in which they lie. @param {string} dots @param {string} tunic @param {Map<string, Map<string, string>>} seats */
function sort(dots, tunic, seats) {
  let [x, y] = [0, 0];
  for (const [, dx, dy] of dots.matchAll(DOT)) {
    x += Number(dx);
    y += Number(dy);
    const key = `${Math.floor(x / BLOCK)} ${Math.floor(y / BLOCK)}`;
    const block = seats.get(key) ?? new Map();
    seats.set(key, block.set(tunic, `${block.get(tunic) ?? ""}M${x.toFixed(1)} ${y.toFixed(1)}h0`));
  }
}

/** @param {Block} block @param {number} delay @param {number} times @param {number} high from 0 to 1 */
function jump({ group }, delay, times, high) {
  if (STILL.matches || document.hidden || group.getAnimations().length) return;
  const up = `translateY(${(-7 * high).toFixed(1)}px)`;
  group.animate(
    { transform: ["none", up, "none"], easing: ["cubic-bezier(.2,.7,.4,1)", "cubic-bezier(.6,0,.8,.4)", "linear"] },
    { duration: 300, delay, iterations: times },
  );
}
