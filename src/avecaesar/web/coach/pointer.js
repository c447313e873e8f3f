/**
 * Where the coach points to, and where his bubble stands so that it does not hide it.
 * @module
 * @import { About } from "./lessons.js"
 * @import * as t from "../lib/types.js"
 */
import { useEffect } from "../lib/html.js";

const GAP = 14; // points of the screen between the bubble and what it is about
const EDGE = 8; // and the edge of the screen
const STEPS = 96; // points of an outline that are looked at
const CROSS = 11; // points of the board from the middle of a cross
const NEAR = 7; // points of the board between outlines that touch

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
    let asked = 0;
    let last = "";
    const look = () => {
      asked = requestAnimationFrame(look);
      const [box, circle] = [bubble.current, ring.current];
      if (!box || !circle) return;
      const thing = found(about);
      const at = thing?.getBoundingClientRect();
      const drawn = wayOf(about); // which is shown even where it leads out of sight
      const target = at && at.width && (drawn.way || inSight(at)) ? at : null;
      const arena = document.querySelector(".arena")?.getBoundingClientRect() ?? null;
      const size = { width: box.offsetWidth, height: box.offsetHeight };
      const place = !apartFrom()
        ? under(arena, size, keptClear(about, target))
        : target && !docked
          ? beside(target, size, clearOf(about, target))
          : within(arena, size);
      const outline = thing && target ? outlineOf(thing, target) : null;
      const frame = thing?.closest("#board") ? arena : null; // what is on the board is ringed within it
      const now = JSON.stringify([outline, place, drawn, frame]);
      if (now === last) return;
      last = now;
      box.style.left = `${place.x}px`;
      box.style.top = `${place.y}px`;
      box.style.setProperty("--coach-tail", `${place.tail ?? 0}px`);
      box.dataset["side"] = place.side;
      circle.toggleAttribute("hidden", !outline);
      circle.style.clipPath = frame
        ? `inset(${frame.top}px ${innerWidth - frame.right}px ${innerHeight - frame.bottom}px ${frame.left}px)`
        : "";
      if (!outline) return;
      const lines = circle.querySelectorAll("path");
      for (const line of lines) line.setAttribute("transform", outline.matrix);
      [drawn.way, outline.path, outline.path, drawn.wall, drawn.wall].forEach((path, i) => lines[i]?.setAttribute("d", path));
    };
    look();
    return () => cancelAnimationFrame(asked);
  }, [key, docked, JSON.stringify(about)]);
}

/**
 * The way that a thought is about, through the middles of its spaces, and the wall that it would go through: what the
 * outlines of two spaces have in common, which lies between them.
 * @param {About} about
 */
function wayOf(about) {
  if (!about || !("way" in about) || !about.way) return { way: "", wall: "" };
  const middles = about.way.flatMap((space) => {
    const box = shapeOf(space)?.getBBox();
    return box ? [`${box.x + box.width / 2} ${box.y + box.height / 2}`] : [];
  });
  const [one, other] = (about.wall ?? []).map(shapeOf);
  return { way: `M${middles.join("L")}`, wall: one && other ? border(one, other) : "" };
}

/** How high and low a thought's way goes, or what is pointed at. @param {About} about @param {DOMRect} target */
function clearOf(about, target) {
  const way = about && "way" in about && about.way ? about.way : [];
  const boxes = [target, ...way.flatMap((space) => shapeOf(space)?.getBoundingClientRect() ?? [])];
  return { top: Math.min(...boxes.map((box) => box.top)), bottom: Math.max(...boxes.map((box) => box.bottom)) };
}

/** @param {t.Destination} space */
const shapeOf = (space) =>
  /** @type {SVGPathElement | null} */ (document.querySelector(`#board path[data-space="${space}"]`));

/** Where two outlines run along each other, crossed out. @param {SVGPathElement} one @param {SVGPathElement} other */
function border(one, other) {
  const theirs = along(other);
  const near = (/** @type {DOMPoint} */ a) => theirs.some((b) => Math.hypot(a.x - b.x, a.y - b.y) < NEAR);
  const shared = along(one).filter(near);
  const at = shared[shared.length >> 1];
  if (!at) return "";
  const cross = `M${at.x - CROSS} ${at.y - CROSS}l${2 * CROSS} ${2 * CROSS}m0 ${-2 * CROSS}l${-2 * CROSS} ${2 * CROSS}`;
  return `M${shared.map(({ x, y }) => `${x} ${y}`).join("L")}${cross}`;
}

/** @param {SVGPathElement} shape */
function along(shape) {
  const length = shape.getTotalLength();
  return Array.from({ length: STEPS }, (_, i) => shape.getPointAtLength((i / STEPS) * length));
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
 * @param {{ top: number, bottom: number }} clear what must not be hidden
 * @returns {Place}
 */
function beside(target, { width, height }, clear) {
  const apart = apartFrom();
  const middle = target.x + target.width / 2;
  const [least, most] = !apart ? [0, innerWidth] : target.left < apart.left - EDGE ? [0, apart.left] : [apart.left, innerWidth];
  const x = Math.max(inside(middle - width / 2, width, most), least);
  const tail = Math.max(18, Math.min(middle - x, width - 18));
  if (apart && target.left >= apart.left - EDGE) {
    const [y, level] = [apart.bottom + GAP, target.top + target.height / 2];
    if (target.top > apart.top - EDGE && y + height <= innerHeight - EDGE) return { x, y, side: "below", tail };
    const top = inside(level - height / 2, height, innerHeight);
    const at = Math.max(18, Math.min(level - top, height - 18));
    return { x: apart.left - GAP - width, y: top, side: "left", tail: at };
  }
  const above = clear.top - GAP - height;
  const below = clear.bottom + GAP;
  if (above >= EDGE) return { x, y: above, side: "above", tail };
  if (below + height <= innerHeight - EDGE) return { x, y: below, side: "below", tail };
  const side = target.top > innerHeight - target.bottom ? above : below;
  return { x, y: inside(side, height, innerHeight), side: "none" };
}

/** The panel, where it stands beside the board. */
function apartFrom() {
  const panel = document.getElementById("question")?.getBoundingClientRect();
  return panel && panel.left > innerWidth / 3 ? panel : null;
}

/** What must be seen while something is said: one's own chariot, what is pointed at, and the way there.
 * @param {About} about @param {DOMRect | null} target */
function keptClear(about, target) {
  const own = [...document.querySelectorAll("#board .chariot:is(.asked, .own) .rig")];
  const way = about && "way" in about && about.way ? about.way : [];
  const boxes = [...own, ...way.flatMap((space) => shapeOf(space) ?? [])].map((one) => one.getBoundingClientRect());
  return target ? [target, ...boxes] : boxes;
}

/**
 * Where the panel stands below the board: at the board's head, or below the header, or at the board's foot; the first of
 * them that hides least of what must be seen.
 * @param {DOMRect | null} arena
 * @param {{ width: number, height: number }} size
 * @param {DOMRect[]} kept
 * @returns {Place}
 */
function under(arena, { width, height }, kept) {
  const x = (innerWidth - width) / 2;
  const strip = document.getElementById("seats")?.getBoundingClientRect();
  const [head, foot] = [arena?.top ?? EDGE, arena?.bottom ?? innerHeight];
  const tops = [head + EDGE / 2, strip?.top ?? EDGE, foot - height - EDGE / 2];
  const hidden = (/** @type {number} */ top, /** @type {DOMRect} */ box) =>
    Math.max(Math.min(box.bottom, top + height) - Math.max(box.top, top), 0);
  const hides = (/** @type {number} */ top) => kept.reduce((sum, box) => sum + hidden(top, box), 0);
  const y = tops.reduce((best, top) => (hides(top) < hides(best) ? top : best));
  return { x, y: inside(y, height, innerHeight), side: "none" };
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
