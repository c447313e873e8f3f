/**
 * A film unrolled: what the server sends as differences, scene after scene as a whole.
 * @module
 * @import { ChariotShown, Film, HandOpened, Happening, SceneShown } from "../lib/types.js"
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

/**
 * What a film tells of a chariot at a scene: that it pays, takes the lead and so on.
 * @param {number} chariot
 * @param {Film} film
 * @param {number} scene
 * @returns {Happening[]}
 */
export const happenedTo = (chariot, film, scene) =>
  film.moments.filter((one) => one.scene === scene && one.chariot === chariot).map((one) => one.kind);
