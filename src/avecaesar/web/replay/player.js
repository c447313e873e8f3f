/**
 * Where a replay stands and how it goes on: by turns, by events, by itself.
 * @module
 * @import { Scene } from "./reel.js"
 * @import { Film } from "../lib/types.js"
 */
import { signal } from "../lib/html.js";
import { remembered } from "../lib/prefs.js";
import { unroll } from "./reel.js";

export const PACES = [0.5, 1, 2, 4, 10];
const BREATH = 650; // milliseconds between turns at the usual pace

/** How fast races are played. */
export const pace = remembered("replay.pace", 1, (value) => PACES.includes(/** @type {number} */ (value)));

export class Player {
  /**
   * @param {Film} film
   * @param {number} at the scene to begin with
   */
  constructor(film, at) {
    this.film = film;
    this.scenes = unroll(film);
    this.last = this.scenes.length - 1;
    this.at = signal(Math.min(Math.max(at, 0), this.last));
    this.playing = signal(false);
    /** Runs what a scene tells of; the board puts its own here. @type {(scene: Scene) => Promise<void>} */
    this.perform = async () => {};
    /** Ends a run at once. @type {() => void} */
    this.cut = () => {};
    this.round = 0; // of playing: whatever belongs to an earlier one has been stopped
  }

  /** The scene that is shown. @returns {Scene} */
  get scene() {
    return this.scenes[this.at.value];
  }

  /** Goes to a scene and stays there. @param {number} at */
  go(at) {
    this.stop();
    this.at.value = Math.min(Math.max(at, 0), this.last);
  }

  /** A turn back, or forward with its run. @param {1 | -1} by */
  step(by) {
    this.stop();
    if (by < 0) this.go(this.at.value - 1);
    else void this.next();
  }

  /** To the next event, or the one before. @param {1 | -1} by */
  jump(by) {
    const moments = this.film.moments.map((moment) => moment.scene);
    const here = this.at.value;
    this.go(by > 0 ? (moments.find((at) => at > here) ?? this.last) : (moments.findLast((at) => at < here) ?? 0));
  }

  toggle() {
    if (this.playing.value) this.stop();
    else void this.play();
  }

  stop() {
    this.round += 1;
    this.playing.value = false;
    this.cut();
  }

  async play() {
    this.stop();
    const round = this.round;
    if (this.at.value === this.last) this.at.value = 0;
    this.playing.value = true;
    while (this.at.value < this.last) {
      await this.next();
      if (round !== this.round) return;
      await new Promise((done) => setTimeout(done, BREATH / pace.value));
      if (round !== this.round) return;
    }
    this.playing.value = false;
  }

  async next() {
    if (this.at.value === this.last) return;
    const run = this.perform(this.scenes[this.at.value + 1]);
    this.at.value += 1;
    await run;
  }
}
