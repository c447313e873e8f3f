/**
 * What the server tells of an edition's rules (server/content/rulebook.py, server/content/little_races.py).
 * @module
 * @import { Direction } from "../lib/types.js"
 */

/** @typedef {{ option: string, meaning: string, words: string }} Setting */
/** @typedef {{ id: string, title: string, text: string, here: Setting[] }} Clause */
/** @typedef {{ chapter: string, clauses: Clause[] }} Chapter */
/**
 * @typedef {object} Difference
 * @property {string} option
 * @property {string} meaning
 * @property {string} words
 * @property {string[]} alike editions that do the same
 * @property {{ words: string, editions: string[] }[]} others
 */
/**
 * @typedef {object} Beat
 * @property {"stands" | "refused" | "turn"} kind
 * @property {string} words
 * @property {(number | null)[]} spaces of each chariot
 * @property {number[]} leads
 * @property {number | null} [mover]
 * @property {number[]} [hand]
 * @property {number[]} [piles]
 * @property {number} [card]
 * @property {number[]} [targets]
 * @property {number} [to] the space that was refused
 * @property {string} [clause]
 * @property {number} [origin]
 * @property {number[]} [way]
 * @property {boolean} [home]
 * @property {boolean} [pays]
 * @property {boolean} [disqualified]
 */
/**
 * @typedef {object} LittleRace
 * @property {string} clause
 * @property {string} about
 * @property {string} course
 * @property {Direction} direction
 * @property {string} picture
 * @property {string[]} names
 * @property {string[]} colours
 * @property {{ x: number, y: number, width: number, height: number }} box
 * @property {Beat[]} beats
 * @property {number} key the beat that shows it best, where nothing moves
 */
/**
 * @typedef {object} Rulebook
 * @property {string} edition
 * @property {string} title
 * @property {{ name: string, short: string, title: string }[]} editions
 * @property {Chapter[]} chapters
 * @property {Difference[]} differences
 * @property {{ name: string, meaning: string, words: string, clause: string }[]} variants
 * @property {Clause[]} agreed
 * @property {{ option: string, meaning: string, values: string[] }[]} house_rules what the edition has comes first
 * @property {LittleRace[]} scenes
 */

export {};
