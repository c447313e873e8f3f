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
 * @param {{ current: SVGSVGElement | null }} ring
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
      const thing = found(about);
      const at = thing?.getBoundingClientRect();
      const target = at && at.width && inSight(at) ? at : null;
      const arena = document.querySelector(".arena")?.getBoundingClientRect() ?? null;
      const size = { width: box.offsetWidth, height: box.offsetHeight };
      const place = target && !docked ? beside(target, size) : within(arena, size);
      const outline = thing && target ? outlineOf(thing, target) : null;
      const now = JSON.stringify([outline, place]);
      if (now === last) return;
      last = now;
      box.style.left = `${place.x}px`;
      box.style.top = `${place.y}px`;
      box.style.setProperty("--coach-tail", `${place.tail ?? 0}px`);
      box.dataset["side"] = place.side;
      circle.toggleAttribute("hidden", !outline);
      if (outline)
        for (const line of circle.querySelectorAll("path")) {
          line.setAttribute("d", outline.path);
          line.setAttribute("transform", outline.matrix);
        }
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [key, docked, JSON.stringify(about)]);
}

/**
 * What is drawn around a thing: a space's own shape, and a rounded frame about everything else.
 * @param {Element} thing
 * @param {DOMRect} at
 */
function outlineOf(thing, at) {
  const shape = thing instanceof SVGPathElement ? thing.getAttribute("d") : null;
  const matrix = shape ? /** @type {SVGPathElement} */ (thing).getScreenCTM() : null;
  if (shape && matrix) {
    const { a, b, c, d, e, f } = matrix;
    return { path: shape, matrix: `matrix(${[a, b, c, d, e, f].join(" ")})` };
  }
  const [x, y, width, height, round] = [at.x - 5, at.y - 5, at.width + 10, at.height + 10, 12];
  const [across, down, arc] = [width - 2 * round, height - 2 * round, `a${round} ${round} 0 0 1 `];
  return {
    path: `M${x + round} ${y}h${across}${arc}${round} ${round}v${down}${arc}${-round} ${round}h${-across}${arc}${-round} ${-round}v${-down}${arc}${round} ${-round}z`,
    matrix: "",
  };
}

/** @param {DOMRect} at */
const inSight = (at) => at.bottom > 0 && at.right > 0 && at.top < innerHeight && at.left < innerWidth;

/** @param {number} at @param {number} size @param {number} most */
const inside = (at, size, most) => Math.max(EDGE, Math.min(at, most - size - EDGE));

/** @typedef {{ x: number, y: number, side: "above" | "below" | "left" | "none", tail?: number }} Place */

/**
 * Above what it is about or, where there is no room, below it, its tail pointing there. Where a panel stands beside the
 * board, the bubble keeps off its cards and names: it stands below the question, or points from the board.
 * @param {DOMRect} target
 * @param {{ width: number, height: number }} size
 * @returns {Place}
 */
function beside(target, { width, height }) {
  const panel = document.getElementById("question")?.getBoundingClientRect();
  const apart = panel && panel.left > innerWidth / 3 ? panel : null;
  const middle = target.x + target.width / 2;
  const most = apart && target.left < apart.left ? apart.left : innerWidth;
  const x = inside(middle - width / 2, width, most);
  const tail = Math.max(18, Math.min(middle - x, width - 18));
  if (apart && target.left >= apart.left - EDGE) {
    const [y, level] = [apart.bottom + GAP, target.top + target.height / 2];
    if (target.top > apart.top - EDGE && y + height <= innerHeight - EDGE) return { x, y, side: "below", tail };
    const top = inside(level - height / 2, height, innerHeight);
    const at = Math.max(18, Math.min(level - top, height - 18));
    return { x: apart.left - GAP - width, y: top, side: "left", tail: at };
  }
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
