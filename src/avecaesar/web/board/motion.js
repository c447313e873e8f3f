/**
 * Movement along curves, one run after another, with weight: chariots gather speed, slow down in bends and brake. It
 * hurries when many wait, never falls far behind, and never stalls in a hidden tab.
 * @module
 */

/** @typedef {{x: number, y: number}} Point */
/**
 * Where a chariot is, which way its car looks, how far its horses are turned from that, and how fast it goes.
 * @typedef {object} Posture
 * @property {number} x
 * @property {number} y
 * @property {number} angle degrees clockwise from east
 * @property {number} [bend] of the team against the car, in degrees
 * @property {number} [speed] from 0, standing, to 1
 * @property {number} [driven] units of the board since the run began
 */
/**
 * One chariot's way; `before` is told how many milliseconds it will take, 0: it jumps.
 * @typedef {{thing: number, points: Point[], angle: number, before?: (time: number) => void, after?: () => void}} Run
 */
/**
 * A run, or nothing but what comes after everything before it; and when that has to be over.
 * @typedef {{ run: Run | null, due: number, then?: () => void }} Waiting
 */

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const SPEED = 0.42; // units of the board in a millisecond
const SHORTEST = 420;
const LONGEST = 1150;
const BEHIND = 2500; // milliseconds: nothing is shown later than that after it was told
const PATIENCE = 6; // with more runs waiting, the oldest jump
const GRACE = 400; // milliseconds after which what should be over is over, even if no frame was drawn
const GRAIN = 6; // units between two places at which a way is measured
const TEAM = 26; // units from the middle of the car to that of the horses
const SHARPEST = 34; // degrees

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

/** @param {number} value @param {number} least @param {number} most */
const within = (value, least, most) => Math.min(Math.max(value, least), most);

/** Fast on the straight, slow off the mark, in bends and into the last space. */
class Way {
  /** @param {readonly Point[]} points @param {number} angle in which it ends */
  constructor(points, angle) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", curve(points));
    this.length = path.getTotalLength();
    this.last = Math.max(2, Math.ceil(this.length / GRAIN));
    const grain = (this.grain = this.length / this.last);
    /** @type {Point[]} */
    this.places = Array.from({ length: this.last + 1 }, (_, i) => path.getPointAtLength(i * grain));
    /** @type {number[]} */
    this.angles = [];
    for (let i = 0; i <= this.last; i += 1) {
      const [behind, ahead] = [this.places[Math.max(i - 1, 0)], this.places[Math.min(i + 1, this.last)]];
      const driven = (Math.atan2(ahead.y - behind.y, ahead.x - behind.x) * 180) / Math.PI;
      this.angles.push(i ? near(driven, this.angles[i - 1]) : driven);
    }
    const settling = Math.min(Math.ceil(36 / grain), this.last);
    for (let i = this.last - settling; i <= this.last; i += 1) {
      const weight = (i - this.last + settling) / settling;
      this.angles[i] += (near(angle, this.angles[i]) - this.angles[i]) * weight;
    }
    /** @type {number[]} */
    this.speeds = this.places.map((_, i) => {
      const turned = Math.abs(this.#angle(i + 3) - this.#angle(i - 3)) / (6 * grain); // degrees a unit
      const mark = Math.sqrt(within((i * grain + 3) / 62, 0.05, 1));
      const brake = Math.sqrt(within((this.length - i * grain + 3) / 78, 0.05, 1));
      return Math.min(mark, brake) * (1 - 0.42 * Math.min(turned, 1));
    });
    /** When each place is reached, as parts of the whole time. @type {number[]} */
    this.times = [0];
    for (let i = 1; i <= this.last; i += 1)
      this.times.push(this.times[i - 1] + 2 / (this.speeds[i - 1] + this.speeds[i]));
    const whole = this.times[this.last];
    this.times = this.times.map((time) => time / whole);
    this.found = 1;
  }

  /** @param {number} i */
  #angle(i) {
    return this.angles[within(i, 0, this.last)];
  }

  /** Where a run is after a part of its time; to be asked for later and later ones. @param {number} part @returns {Posture} */
  at(part) {
    while (this.found < this.last && this.times[this.found] < part) this.found += 1;
    const [i, j] = [this.found - 1, this.found];
    const share = within((part - this.times[i]) / (this.times[j] - this.times[i] || 1), 0, 1);
    const mix = (/** @type {number} */ a, /** @type {number} */ b) => a + (b - a) * share;
    const angle = mix(this.angles[i], this.angles[j]);
    const reach = TEAM / this.grain;
    const [less, more] = [Math.floor(reach), Math.ceil(reach)];
    const team = (this.#angle(i + less) + this.#angle(j + more)) / 2;
    return {
      x: mix(this.places[i].x, this.places[j].x),
      y: mix(this.places[i].y, this.places[j].y),
      angle,
      bend: within(team - angle, -SHARPEST, SHARPEST),
      speed: mix(this.speeds[i], this.speeds[j]),
      driven: (i + share) * this.grain,
    };
  }
}

/** How long a run takes if nothing hurries it. @param {Run} run */
function usual({ points }) {
  const length = points.reduce((sum, { x, y }, i) => sum + (i ? Math.hypot(x - points[i - 1].x, y - points[i - 1].y) : 0), 0);
  return within(length / SPEED, SHORTEST, LONGEST);
}

/** Does something whose failure must not stop the others. @param {(() => void) | undefined} work */
function safely(work) {
  try {
    work?.();
  } catch (thrown) {
    reportError(thrown);
  }
}

/** Runs things along curves in the order in which they were told to, each no later than it may be. */
export class Runner {
  /** @type {Waiting[]} the first one is under way */
  #waiting = [];
  #begun = false;
  #frame = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #alarm;
  #seen = () => document.hidden && this.finish();

  /**
   * @param {(thing: number, at: Posture) => void} place
   * @param {(running: boolean) => void} [changed] told when the first run begins and when the last has ended
   */
  constructor(place, changed = () => undefined) {
    this.place = place;
    this.changed = changed;
    this.pace = 1; // how many times faster than usual
    document.addEventListener("visibilitychange", this.#seen);
  }

  /** What runs now. */
  get thing() {
    return this.#waiting[0]?.run?.thing ?? null;
  }

  /**
   * @param {Run[]} runs
   * @param {() => void} [then] done once they and everything before them are over
   */
  add(runs, then) {
    const idle = !this.#waiting.length;
    const due = performance.now() + BEHIND;
    const last = runs.length - 1;
    this.#waiting.push(...runs.map((run, i) => ({ run, due, then: i === last ? then : undefined })));
    if (last < 0 && then) this.#waiting.push({ run: null, due, then });
    if (document.hidden || STILL.matches || this.pace === Infinity) return this.finish();
    if (this.#waiting.length - 1 > PATIENCE) {
      this.#halt();
      while (this.#waiting.length - 1 > PATIENCE) this.#end();
      this.#next();
    } else if (idle && this.#waiting.length) {
      this.changed(true);
      this.#next();
    }
  }

  /** Everything that waits is done at once. */
  finish() {
    this.#halt();
    while (this.#waiting.length) this.#end();
    this.changed(false);
  }

  /** Forgets what waits: the board has changed. */
  clear() {
    this.#waiting.length = 0;
    this.#begun = false;
    this.finish();
  }

  close() {
    document.removeEventListener("visibilitychange", this.#seen);
    this.#halt();
  }

  #halt() {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#alarm);
  }

  /** The first one has arrived, whether it has set off or not. */
  #end() {
    const { run, then } = /** @type {Waiting} */ (this.#waiting.shift());
    const last = run?.points.at(-1);
    const begun = this.#begun;
    this.#begun = false;
    if (run && !begun) safely(() => run.before?.(0));
    if (run && last) safely(() => this.place(run.thing, { ...last, angle: run.angle }));
    safely(run?.after);
    safely(then);
  }

  /** The first one sets off; who has nothing to drive is there at once. */
  #next() {
    while (this.#waiting.length && !this.#waiting[0].run) this.#end();
    const run = this.#waiting[0]?.run;
    if (!run) return this.finish();
    this.#alarm = setTimeout(() => this.finish(), Math.max(this.#waiting[0].due - performance.now(), 0) + GRACE);
    const way = new Way(run.points, run.angle);
    const time = usual(run) / this.pace;
    this.#begun = true;
    safely(() => run.before?.(time));
    let part = 0;
    let then = performance.now();
    const step = (/** @type {number} */ now) => {
      part += (Math.max(now - then, 0) / time) * this.#hurry(time * (1 - part), now);
      then = Math.max(now, then);
      if (part >= 1) {
        this.#halt();
        this.#end();
        return this.#next();
      }
      this.place(run.thing, way.at(part));
      this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }

  /**
   * How many times faster it must go, so that nobody who waits comes too late.
   * @param {number} rest of the first one, in milliseconds
   * @param {number} now
   */
  #hurry(rest, now) {
    let [hurry, sum] = [1, 0];
    this.#waiting.forEach(({ run, due }, i) => {
      sum += i ? (run ? usual(run) / this.pace : 0) : rest;
      hurry = Math.max(hurry, sum / Math.max(due - now, 1));
    });
    return hurry;
  }
}
