/**
 * How a little race goes round: beat after beat while it is seen, with time to read, until somebody stops it.
 * @module
 * @import { Beat } from "../lib/types.js"
 */
import { signal } from "../lib/html.js";

const AT_LEAST = 1500; // milliseconds for a beat, and more for more words
const A_LETTER = 26;
const BEFORE_AGAIN = 1800;

export class Loop {
  /**
   * @param {Beat[]} beats
   * @param {number} at where it stands until it is played
   */
  constructor(beats, at) {
    this.beats = beats;
    this.at = signal(at);
    this.playing = signal(false);
    /** Runs what a beat tells of; the board puts its own here. @type {(beat: Beat) => Promise<void>} */
    this.perform = async () => {};
    /** Ends a run at once. @type {() => void} */
    this.cut = () => {};
    this.round = 0; // of playing: whatever belongs to an earlier one has been stopped
  }

  stop() {
    this.round += 1;
    this.playing.value = false;
    this.cut();
  }

  /** One beat on; after the last comes the first. */
  async step() {
    this.stop();
    await this.next();
  }

  async play() {
    this.stop();
    const round = this.round;
    this.playing.value = true;
    for (;;) {
      const beat = this.beats[this.at.peek()];
      const last = this.at.peek() === this.beats.length - 1;
      await pause(AT_LEAST + beat.words.length * A_LETTER + (last ? BEFORE_AGAIN : 0));
      if (round !== this.round) return;
      await this.next();
      if (round !== this.round) return;
    }
  }

  async next() {
    const to = (this.at.peek() + 1) % this.beats.length;
    const run = this.perform(this.beats[to]);
    this.at.value = to;
    await run;
  }
}

/** @param {number} time */
const pause = (time) => new Promise((done) => setTimeout(done, time));
