/**
 * The sand of the track: dust that wheels throw up, and ruts that they leave for a while. A few nodes, used again.
 * @module
 * @import { Posture } from "./motion.js"
 */

const PUFFS = 22;
const RUTS = 3;
const APART = 11; // units between two puffs
const WHEEL = 13; // units from the middle of the car to a wheel
const REAR = 14; // units from the middle of the chariot back to the axle

/** @param {string} name @param {string} kind */
function make(name, kind) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  node.setAttribute("class", kind);
  return /** @type {SVGGraphicsElement} */ (node);
}

/** What a puff of dust is painted with: thick in the middle, nothing at its edge. */
function haze() {
  const paint = make("radialGradient", "");
  paint.id = "stage-haze";
  for (const [offset, opacity] of [
    ["0.2", "1"],
    ["1", "0"],
  ]) {
    const stop = make("stop", "stage-haze");
    stop.setAttribute("offset", offset);
    stop.setAttribute("stop-opacity", opacity);
    paint.append(stop);
  }
  return paint;
}

export class Sand {
  /** @param {SVGGElement} layer below the chariots */
  constructor(layer) {
    this.ruts = Array.from({ length: RUTS }, () => make("path", "stage-rut"));
    this.puffs = Array.from({ length: PUFFS }, () => make("circle", "stage-puff"));
    for (const puff of this.puffs) {
      puff.setAttribute("r", "10");
      puff.setAttribute("fill", "url(#stage-haze)");
    }
    layer.append(haze(), ...this.ruts, ...this.puffs);
    this.used = 0;
    this.rut = 0;
    this.marked = -APART;
    /** @type {[string, string]} */
    this.tracks = ["", ""];
  }

  /** Another chariot sets off. */
  begin() {
    this.rut = (this.rut + 1) % RUTS;
    this.marked = -APART;
    this.tracks = ["", ""];
    const rut = this.ruts[this.rut];
    for (const fading of rut.getAnimations()) fading.cancel();
    rut.setAttribute("d", "");
  }

  /** A chariot drives here. @param {Posture} at */
  roll({ x, y, angle, speed = 0, driven = 0 }) {
    if (driven - this.marked < APART) return;
    this.marked = driven;
    const turn = (angle * Math.PI) / 180;
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    [-WHEEL, WHEEL].forEach((side, i) => {
      const [wx, wy] = [x - REAR * cos - side * sin, y - REAR * sin + side * cos];
      this.tracks[i] += `${this.tracks[i] ? "L" : "M"}${wx.toFixed(1)} ${wy.toFixed(1)}`;
      if (speed > 0.3) this.#puff(wx - 6 * cos, wy - 6 * sin, speed);
    });
    this.ruts[this.rut].setAttribute("d", this.tracks.join(""));
  }

  /** The chariot stands; its ruts are blown over by and by. */
  end() {
    this.ruts[this.rut].animate({ opacity: [0.5, 0.4, 0] }, { duration: 5000, fill: "forwards" });
  }

  /** @param {number} x @param {number} y @param {number} speed */
  #puff(x, y, speed) {
    const puff = this.puffs[this.used];
    this.used = (this.used + 1) % PUFFS;
    const drift = (this.used % 5) - 2;
    const at = (/** @type {number} */ size, /** @type {number} */ rise) =>
      `translate(${(x + drift * (size + 1)).toFixed(1)}px, ${(y - rise).toFixed(1)}px) scale(${size.toFixed(2)})`;
    puff.animate(
      { opacity: [0.95 * speed, 0.7 * speed, 0], transform: [at(0.4, 0), at(1.1, 3), at(1.9, 8)] },
      { duration: 620 + (this.used % 3) * 140, easing: "ease-out" },
    );
  }
}
