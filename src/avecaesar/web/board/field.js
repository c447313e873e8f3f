/**
 * The field: chariots that stand where they are said to and run along the ways that they are given, and the circus round
 * them. It draws what it is handed and knows no rule: the table, replays and the little races of the rules all use it.
 * @module
 * @import { Circus as Life } from "./circus.js"
 * @import { Point, Posture, Run } from "./motion.js"
 * @import { Board, Unpainted } from "./picture.js"
 */
import { html, useEffect, useLayoutEffect, useRef } from "../lib/html.js";
import { Chariot, place } from "./chariots.js";
import { Circus } from "./circus.js";
import { Runner } from "./motion.js";

/** @typedef {Board | Unpainted} Drawn */
/**
 * A chariot as it stands while it does not run.
 * @typedef {object} Standing
 * @property {string} colour
 * @property {number | null} space null: off the board
 * @property {boolean} [leads] wears the wreath
 * @property {boolean} [asked] is the one that it is about: a ring calls
 * @property {boolean} [own] is the reader's: a ring of another kind
 */
/**
 * A way to be driven.
 * @typedef {object} Drive
 * @property {number} chariot
 * @property {number | null | undefined} origin the space that it comes from
 * @property {readonly number[] | undefined} way the spaces that it drives over, the last one included; none: it stays
 * @property {boolean} [out] on beyond the last space, out of the circus
 * @property {() => void} [before] done when it sets off
 * @property {(at: Point) => void} [after] done when it has come to rest
 */
/**
 * All that a field is handed.
 * @typedef {object} State
 * @property {Drawn} board the course: where its spaces are, and its painting
 * @property {readonly Standing[]} chariots by number
 * @property {string} [race] a name for it: in another race they are other chariots
 * @property {boolean} [quiet] no crowd, no dust and no sound
 * @property {(track: Track) => () => void} enter told of the track as soon as there is one; what it gives back ends that.
 *   The same function as long as it is the same race: with another one the track begins anew
 * @property {any} [children] what lies on the sand below the chariots
 */

const OUT = 90; // units beyond the last space

/** Where chariots are made to run, one after another. */
export class Track {
  #runner;
  /** @type {(() => void) | null} */
  #done = null;

  /**
   * @param {Drawn} board
   * @param {Life | null} circus what goes on round it; null: nothing
   * @param {(chariot: number, at: Posture) => void} put
   * @param {() => void} settle puts all chariots that do not run where they stand
   */
  constructor(board, circus, put, settle) {
    this.board = board;
    this.circus = circus;
    this.#runner = new Runner(
      (chariot, at) => {
        put(chariot, at);
        circus?.passes(at);
      },
      (running) => {
        if (running) return;
        const done = this.#done;
        this.#done = null;
        settle();
        done?.();
      },
    );
  }

  /** The chariot that runs now; null: none does. */
  get running() {
    return this.#runner.thing;
  }

  /** How many times faster than usual they run. @param {number} pace */
  set pace(pace) {
    this.#runner.pace = pace;
  }

  /**
   * Lets chariots run, after those that run already.
   * @param {readonly Drive[]} drives
   * @param {() => void} then done once all of them are over
   */
  drive(drives, then) {
    this.#runner.add(
      drives.flatMap((drive) => this.#runOf(drive)),
      then,
    );
  }

  /** Lets one chariot run. @param {Drive} drive @returns {Promise<void>} kept once it is over, or was cut short */
  async perform(drive) {
    const runs = this.#runOf(drive);
    if (runs.length)
      await new Promise((/** @type {(value?: undefined) => void} */ done) => {
        this.#done = done;
        this.#runner.add(runs);
      });
  }

  /** All runs are over at once. */
  finish() {
    this.#runner.finish();
  }

  /** Forgets all runs. */
  clear() {
    this.#runner.clear();
  }

  close() {
    this.#runner.close();
    this.circus?.close();
  }

  /** @param {Drive} drive @returns {Run[]} */
  #runOf({ chariot, origin, way, out, before, after }) {
    const points = [origin ?? -1, ...(way ?? [])].flatMap((id) => this.board.spaces[id] ?? []);
    const last = points.at(-1);
    if (!way?.length || !last) return [];
    const turn = (last.heading * Math.PI) / 180;
    const beyond = { x: last.x + OUT * Math.cos(turn), y: last.y + OUT * Math.sin(turn) };
    return [
      {
        thing: chariot,
        points: out ? [...points, beyond] : points,
        angle: last.heading,
        before: (time) => {
          this.circus?.begins(time);
          before?.();
        },
        after: () => {
          this.circus?.ends();
          after?.(last);
        },
      },
    ];
  }
}

/** @param {State} state */
export function Field({ board, chariots, race = "", quiet = false, enter, children }) {
  const rigs = useRef(/** @type {(SVGGElement | null)[]} */ ([]));
  const ground = useRef(/** @type {SVGGElement | null} */ (null));
  const air = useRef(/** @type {SVGGElement | null} */ (null));
  const track = useRef(/** @type {Track | null} */ (null));
  const standing = useRef(chariots);
  standing.current = chariots;
  const settle = () =>
    standing.current.forEach((chariot, i) => {
      const rig = rigs.current[i];
      if (!rig || track.current?.running === i) return;
      const space = chariot.space === null ? undefined : board.spaces[chariot.space];
      rig.classList.toggle("gone", !space);
      if (space) place(rig, { x: space.x, y: space.y, angle: space.heading });
    });
  useEffect(() => {
    const circus = ground.current && air.current ? new Circus(board, ground.current, air.current) : null;
    const put = (/** @type {number} */ chariot, /** @type {Posture} */ at) => {
      const rig = rigs.current[chariot];
      rig?.classList.remove("gone");
      if (rig) place(rig, at);
    };
    const now = (track.current = new Track(board, circus, put, settle));
    settle();
    const leave = enter(now);
    return () => {
      leave();
      now.close();
      track.current = null;
    };
  }, [board, enter]);
  useLayoutEffect(settle);
  return html`${!quiet && html`<g class="stage-ground" ref=${ground}></g>`}
    ${children}
    <g class="chariots">
      ${chariots.map(
        (chariot, i) =>
          html`<${Chariot}
            key=${`${race} ${i}`}
            colour=${chariot.colour}
            leads=${chariot.leads ?? false}
            asked=${chariot.asked}
            own=${chariot.own}
            take=${(/** @type {SVGGElement | null} */ rig) => (rigs.current[i] = rig)}
          />`,
      )}
    </g>
    ${!quiet && html`<g class="stage-air" ref=${air}></g>`}`;
}
