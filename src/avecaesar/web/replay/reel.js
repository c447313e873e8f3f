/**
 * A film unrolled: what the server sends as differences, scene after scene as a whole.
 * @module
 * @import { ChariotShown, Direction } from "../lib/types.js"
 */

/** @typedef {{ cards: number[], piles?: number[][] }} HandOpened */
/**
 * @typedef {object} SceneShown
 * @property {Record<string, ChariotShown>} chariots those that have changed since the scene before
 * @property {Record<string, HandOpened>} [hands] the same of hands
 * @property {number} [turn] the chariot that must decide next
 * @property {number} [mover]
 * @property {string} [words]
 * @property {string} [by] who made the turn, where it is known
 * @property {string} [notation]
 * @property {string} [event]
 * @property {number} [origin]
 * @property {number[]} [way]
 * @property {boolean} [home]
 */
/** @typedef {{ scene: number, kind: string, chariot: number, words: string }} Moment */
/**
 * @typedef {object} Film
 * @property {number} race
 * @property {number} of
 * @property {string} course
 * @property {string | null} board
 * @property {Direction} direction
 * @property {string} edition
 * @property {SceneShown[]} scenes
 * @property {Moment[]} moments
 * @property {string} result
 * @property {number[]} arrivals
 * @property {number[]} laurels
 */
/** @typedef {{ name: string, colour: string, driver: string, riderless: boolean }} DriverShown */
/**
 * @typedef {object} ReplayShown
 * @property {string} replay
 * @property {string} title
 * @property {string} edition
 * @property {{ course: string, board: string | null, direction: Direction, chariots: DriverShown[], turns: number, laurels: number[], sealed: boolean }[]} races
 * @property {{ rank: number, name: string, laurels: number }[]} standings
 * @property {string} download
 */
/** @typedef {SceneShown & { all: ChariotShown[], cards: HandOpened[] }} Scene a scene with all its chariots and hands */

/**
 * All scenes of a film, whole.
 * @param {Film} film
 * @returns {Scene[]}
 */
export function unroll(film) {
  /** @type {ChariotShown[]} */
  let all = [];
  /** @type {HandOpened[]} */
  let cards = [];
  return film.scenes.map((scene) => {
    all = changed(all, scene.chariots);
    cards = changed(cards, scene.hands ?? {});
    return { ...scene, all, cards };
  });
}

/**
 * @template T
 * @param {T[]} before
 * @param {Record<string, T>} news
 * @returns {T[]}
 */
function changed(before, news) {
  const now = [...before];
  for (const [number, part] of Object.entries(news)) now[Number(number)] = part;
  return now;
}
