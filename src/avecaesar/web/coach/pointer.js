/**
 * Where the coach points to, and where his bubble stands so that it does not hide it.
 * @module
 * @import { About } from "./lessons.js"
 */
import { useEffect } from "../lib/html.js";

const GAP = 14; // points of the screen between the bubble and what it is about
const EDGE = 8; // and the edge of the screen

/** @param {About} about */
function found(about) {
  const board = document.getElementById("board");
  if (!about) return null;
  if ("card" in about) return document.querySelector(`#hand [data-card="${about.card}"]`);
  if ("space" in about) return board?.querySelector(`[data-space="${about.space}"]`) ?? null;
  if ("offer" in about) return document.querySelector(`#offers [data-offer="${CSS.escape(about.offer)}"]`);
  if ("confirm" in about) return document.getElementById("confirm");
  const row = document.querySelector(`#seats [data-chariot="${about.chariot}"]`);
  return (about.column && row?.querySelector(`.of-${about.column}`)) ?? row;
}

/**
 * Keeps a ring around what is pointed at and the bubble beside it, wherever they move to.
 * @param {{ current: HTMLElement | null }} bubble
 * @param {{ current: HTMLElement | null }} ring
 * @param {About} about
 * @param {boolean} docked the bubble stands at the board's edge, whatever it is about
 * @param {string} key of what is said
 */
export function usePointer(bubble, ring, about, docked, key) {
  useEffect(() => {
    let frame = 0;
    let last = "";
    const look = () => {
      frame = requestAnimationFrame(look);
      const [box, circle] = [bubble.current, ring.current];
      if (!box || !circle) return;
      const at = found(about)?.getBoundingClientRect();
      const target = at && at.width && inSight(at) ? at : null;
      const arena = document.querySelector(".arena")?.getBoundingClientRect() ?? null;
      const size = { width: box.offsetWidth, height: box.offsetHeight };
      const place = target && !docked ? beside(target, size) : within(arena, size);
      const now = JSON.stringify([target, place]);
      if (now === last) return;
      last = now;
      box.style.left = `${place.x}px`;
      box.style.top = `${place.y}px`;
      box.style.setProperty("--coach-tail", `${place.tail ?? 0}px`);
      box.dataset["side"] = place.side;
      circle.hidden = !target;
      if (target) {
        circle.style.left = `${target.x - 5}px`;
        circle.style.top = `${target.y - 5}px`;
        circle.style.width = `${target.width + 10}px`;
        circle.style.height = `${target.height + 10}px`;
      }
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [key, docked, JSON.stringify(about)]);
}

/** @param {DOMRect} at */
const inSight = (at) => at.bottom > 0 && at.right > 0 && at.top < innerHeight && at.left < innerWidth;

/** @param {number} at @param {number} size @param {number} most */
const inside = (at, size, most) => Math.max(EDGE, Math.min(at, most - size - EDGE));

/** @typedef {{ x: number, y: number, side: "above" | "below" | "none", tail?: number }} Place */

/**
 * Above what it is about or, where there is no room, below it, its tail pointing there.
 * @param {DOMRect} target
 * @param {{ width: number, height: number }} size
 * @returns {Place}
 */
function beside(target, { width, height }) {
  const middle = target.x + target.width / 2;
  const x = inside(middle - width / 2, width, innerWidth);
  const tail = Math.max(18, Math.min(middle - x, width - 18));
  const above = target.top - GAP - height;
  const below = target.bottom + GAP;
  if (above >= EDGE) return { x, y: above, side: "above", tail };
  if (below + height <= innerHeight - EDGE) return { x, y: below, side: "below", tail };
  const side = target.top > innerHeight - target.bottom ? above : below;
  return { x, y: inside(side, height, innerHeight), side: "none" };
}

/**
 * At the edge of the board: at its foot, or where there is little room at its head.
 * @param {DOMRect | null} arena
 * @param {{ width: number, height: number }} size
 * @returns {Place}
 */
function within(arena, { width, height }) {
  if (!arena) return { x: EDGE, y: EDGE, side: "none" };
  const narrow = arena.width < 2 * width;
  const x = narrow ? arena.left + (arena.width - width) / 2 : arena.left + 2 * EDGE;
  const y = narrow ? arena.top + EDGE : arena.bottom - height - 2 * EDGE;
  return { x: inside(x, width, innerWidth), y: inside(y, height, innerHeight), side: "none" };
}
