/**
 * A course's picture taken apart: the painting, and the outlines of its spaces, which the table lights up.
 * @module
 * @import { CourseShown, Direction } from "../lib/types.js"
 */
import * as api from "../lib/api.js";
import { words } from "../lib/words.js";

/** @typedef {CourseShown & { outlines: string[] }} Ground  the outlines by number of space */
/** @typedef {Ground & { painting: SVGSVGElement }} Board */
/** @typedef {Ground & { painting: null }} Unpainted */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/** @type {Map<string, Promise<Board>>} */
const loaded = new Map();

/**
 * A course with its picture; asked for once.
 * @param {string} course
 * @param {Direction} direction
 * @param {string | null} digest of a board of somebody's own
 * @param {(board: Unpainted) => void} [early] given the course without a painting while that is on its way
 * @returns {Promise<Board>}
 */
export function loadBoard(course, direction, digest, early = () => undefined) {
  const key = `${course} ${direction} ${digest}`;
  const known = loaded.get(key);
  if (known) return known;
  const asked = load(course, direction, digest, early);
  loaded.set(key, asked);
  asked.catch(() => loaded.delete(key));
  return asked;
}

/**
 * @param {string} course
 * @param {Direction} direction
 * @param {string | null} digest
 * @param {(board: Unpainted) => void} early
 * @returns {Promise<Board>}
 */
async function load(course, direction, digest, early) {
  const drawn = await api.course(course, direction, digest);
  early({ ...drawn, painting: null, outlines: drawn.spaces.map(disc) });
  const response = await fetch(drawn.picture, { credentials: "same-origin" }).catch(() => null);
  if (!response?.ok) throw new api.Problem(words.shell.unreachable);
  const parsed = new DOMParser().parseFromString(await response.text(), "image/svg+xml");
  const painting = /** @type {SVGSVGElement} */ (
    /** @type {unknown} */ (document.importNode(parsed.documentElement, true))
  );
  const outlines = drawn.spaces.map(
    (space) => painting.querySelector(`#space-${CSS.escape(space.name)}`)?.getAttribute("d") ?? "",
  );
  painting.querySelector("#spaces")?.remove();
  painting.removeAttribute("role");
  painting.removeAttribute("aria-label");
  painting.querySelector("title")?.remove();
  frame(painting, drawn);
  return { ...drawn, painting, outlines };
}

/** A space that is not painted yet. @param {{ x: number, y: number }} space */
const disc = ({ x, y }) => `M${x - 17} ${y}a17 17 0 1 0 34 0 17 17 0 1 0-34 0z`;

/**
 * Cuts off what lies beside the board, which is seen where there is more room than it has the shape for.
 * @param {SVGSVGElement} painting
 * @param {{ width: number, height: number }} board
 */
function frame(painting, { width, height }) {
  const make = (/** @type {string} */ name) => document.createElementNS("http://www.w3.org/2000/svg", name);
  const [clip, edge, inside] = [make("clipPath"), make("rect"), make("g")];
  clip.id = "board-frame";
  edge.setAttribute("width", String(width));
  edge.setAttribute("height", String(height));
  clip.append(edge);
  inside.setAttribute("clip-path", "url(#board-frame)");
  inside.append(...painting.childNodes);
  painting.append(clip, inside);
}

/**
 * The part of a board around some places, with a margin, no larger than the board.
 * @param {readonly { x: number, y: number }[]} places
 * @param {{ width: number, height: number }} board
 * @param {number} margin
 * @returns {Box}
 */
export function around(places, board, margin) {
  const xs = places.map((place) => place.x);
  const ys = places.map((place) => place.y);
  const left = Math.max(0, Math.min(...xs) - margin);
  const top = Math.max(0, Math.min(...ys) - margin);
  const right = Math.min(board.width, Math.max(...xs) + margin);
  const bottom = Math.min(board.height, Math.max(...ys) + margin);
  return { x: left, y: top, width: right - left, height: bottom - top };
}
