/**
 * Movement along curves, one run after another; it hurries when many wait, and never stalls in a hidden tab.
 * @module
 */

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{x: number, y: number, angle: number}} Posture */
/** @typedef {{thing: number, points: Point[], angle: number, after?: () => void}} Run */

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const SPEED = 0.42; // units of the board in a millisecond
const SHORTEST = 260;
const LONGEST = 950;
const PATIENCE = 6; // with more runs waiting, the oldest jump

/**
 * A smooth curve through points, as path data.
 * @param {readonly Point[]} points
 */
export function curve(points) {
  if (points.length < 2) return points.length ? `M${points[0].x} ${points[0].y}` : "";
  let data = `M${points[0].x} ${points[0].y}`;
  for (let i = 0; i < points.length - 1; i += 1) {
    const [before, from, to, after] = [
      points[i - 1] ?? points[i],
      points[i],
      points[i + 1],
      points[i + 2] ?? points[i + 1],
    ];
    const bend = (
      /** @type {Point} */ at,
      /** @type {Point} */ a,
      /** @type {Point} */ b,
      /** @type {number} */ sign,
    ) => `${(at.x + (sign * (b.x - a.x)) / 6).toFixed(1)} ${(at.y + (sign * (b.y - a.y)) / 6).toFixed(1)}`;
    data += `C${bend(from, before, to, 1)} ${bend(to, from, after, -1)} ${to.x} ${to.y}`;
  }
  return data;
}

/** The same direction, said so that turning there from another one is the short way round.
 * @param {number} angle @param {number} from */
const near = (angle, from) => from + ((((angle - from) % 360) + 540) % 360) - 180;

/** Runs things along curves in the order in which they were told to. */
export class Runner {
  /**
   * @param {(thing: number, at: Posture) => void} place
   * @param {(running: boolean) => void} changed told when the first run begins and when the last has ended
   */
  constructor(place, changed) {
    this.place = place;
    this.changed = changed;
    /** @type {Run[]} */
    this.waiting = [];
    this.busy = false;
    this.pace = 1; // how many times faster than usual
    this.frame = 0;
    this.path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    this.shown = () => document.hidden && this.finish();
    document.addEventListener("visibilitychange", this.shown);
  }

  /** @param {Run[]} runs */
  add(runs) {
    if (!runs.length) return;
    this.waiting.push(...runs);
    if (document.hidden || STILL.matches) return this.finish();
    while (this.waiting.length > PATIENCE) this.end(/** @type {Run} */ (this.waiting.shift()));
    if (!this.busy) {
      this.busy = true;
      this.changed(true);
      this.next();
    }
  }

  /** Everything that waits is done at once. */
  finish() {
    cancelAnimationFrame(this.frame);
    if (this.now) this.end(this.now);
    for (const run of this.waiting.splice(0)) this.end(run);
    this.now = undefined;
    this.busy = false;
    this.changed(false);
  }

  /** Forgets what waits: the board has changed. */
  clear() {
    this.waiting.length = 0;
    this.now = undefined;
    this.finish();
  }

  close() {
    document.removeEventListener("visibilitychange", this.shown);
    cancelAnimationFrame(this.frame);
  }

  /** @param {Run} run */
  end(run) {
    const last = run.points[run.points.length - 1];
    this.place(run.thing, { ...last, angle: run.angle });
    run.after?.();
  }

  next() {
    const run = this.waiting.shift();
    this.now = run;
    if (!run) return this.finish();
    this.path.setAttribute("d", curve(run.points));
    const length = this.path.getTotalLength();
    const begun = performance.now();
    const step = (/** @type {number} */ now) => {
      const hurry = 1 + this.waiting.length * 0.6;
      const time = Math.min(Math.max(length / SPEED, SHORTEST), LONGEST) / hurry / this.pace;
      const part = Math.min((now - begun) / time, 1);
      if (part >= 1) {
        this.end(run);
        return this.next();
      }
      this.place(run.thing, this.at(length, ease(part), run.angle));
      this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }

  /** Where a run is after a part of its way; in the last quarter it turns as the space lies.
   * @param {number} length @param {number} part @param {number} angle @returns {Posture} */
  at(length, part, angle) {
    const here = this.path.getPointAtLength(length * part);
    const [behind, ahead] = [
      this.path.getPointAtLength(length * part - 4),
      this.path.getPointAtLength(length * part + 4),
    ];
    const driven = (Math.atan2(ahead.y - behind.y, ahead.x - behind.x) * 180) / Math.PI;
    const weight = Math.max(0, (part - 0.75) * 4);
    return { x: here.x, y: here.y, angle: driven + (near(angle, driven) - driven) * weight };
  }
}

/** Slow off the mark, slow into the space. @param {number} part */
const ease = (part) => (part < 0.5 ? 2 * part * part : 1 - (2 - 2 * part) ** 2 / 2);
