/**
 * Which part of the board is seen: the whole of it with its frame or, where there is little room, what matters now, so
 * near that a space can be hit with a finger. What is out of sight then is dragged into it, or comes when it is chosen.
 * @module
 * @import { Drawn } from "./field.js"
 * @import { Point } from "./motion.js"
 * @import { Box } from "./picture.js"
 */
import { useEffect, useRef, useSignalEffect } from "../lib/html.js";
import { around } from "./picture.js";

/** @typedef {{ width: number, height: number }} Room points of the screen */
/**
 * What matters now, so that the board is framed as a photographer would: close or whole, and what must be in the picture.
 * @typedef {object} Framing
 * @property {boolean} close whether only a part of the board is to be seen, near enough for a finger
 * @property {string} about a name for what that is about: as long as it is the same, the view stays as it is; empty: nothing
 * @property {readonly Point[]} movers the chariots that it is about, which are always in sight
 * @property {readonly Point[]} needed what must be seen besides, for it was chosen or is in the way
 * @property {readonly Point[]} around all that matters: a new view shows as much of it as it can
 */

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const NEAREST = 1.3; // points of the screen for a unit of the board
const FARTHEST = 0.92; // the same when a part of it is seen: a space, 40 units wide, is no smaller than a finger needs
const AROUND = 95; // units of the board round what matters
const IN_SIGHT = 28; // units round a space that must be seen at least
const CHARIOT = 44; // and round a chariot
const GLIDE = 320; // milliseconds from one view of the board to another
const DRAG = 9; // points of the screen after which a finger drags and does not tap

/** @param {Box} box */
const textOf = (box) => `${box.x} ${box.y} ${box.width} ${box.height}`;

/**
 * Shows the whole board, or what matters now. As long as that is about the same, the view stays as it is, unless what
 * was chosen is out of sight.
 * @param {Drawn} board
 * @param {{ current: HTMLDivElement | null }} painting
 * @param {{ current: SVGSVGElement | null }} play
 * @param {{ value: Room }} room
 * @param {() => Framing} look asked again whenever a signal changes that it reads
 */
export function useView(board, painting, play, room, look) {
  const now = useRef(/** @type {Box | null} */ (null));
  const last = useRef({ about: "", close: false, room: { width: 1, height: 1 } });
  const frame = useRef(0);
  const set = (/** @type {Box} */ box) => {
    now.current = box;
    const text = textOf(box);
    if (play.current?.getAttribute("viewBox") === text) return; // set anew, the whole board would be painted anew
    painting.current?.querySelector("svg")?.setAttribute("viewBox", text);
    play.current?.setAttribute("viewBox", text);
  };
  useSignalEffect(() => {
    const framing = look();
    const { close, about } = framing;
    const kept = about && about === last.current.about ? steady(now.current, last.current.room, room.value, board) : null;
    last.current = { about, close, room: room.value };
    const wanted = kept
      ? moved(moved(kept, framing.movers, CHARIOT, board), framing.needed, IN_SIGHT, board)
      : close
        ? closeUp(framing, board, room.value)
        : fill({ x: 0, y: 0, width: board.width, height: board.height }, room.value, board);
    const from = now.current;
    cancelAnimationFrame(frame.current);
    const stays = from && textOf(from) === textOf(wanted);
    if (!from || stays || wanted === kept || STILL.matches || document.hidden) return set(wanted);
    const begun = performance.now();
    const step = (/** @type {number} */ at) => {
      const part = Math.min(Math.max((at - begun) / GLIDE, 0), 1);
      const between = (/** @type {keyof Box} */ side) => from[side] + (wanted[side] - from[side]) * part * (2 - part);
      set({ x: between("x"), y: between("y"), width: between("width"), height: between("height") });
      if (part < 1) frame.current = requestAnimationFrame(step);
    };
    frame.current = requestAnimationFrame(step);
  });
  useEffect(() => {
    const svg = play.current;
    return svg
      ? dragging(svg, (dx, dy) => {
          const box = now.current;
          if (!box || !last.current.close) return false;
          cancelAnimationFrame(frame.current);
          const unit = box.width / last.current.room.width;
          set(inside({ ...box, x: box.x - dx * unit, y: box.y - dy * unit }, board));
          return true;
        })
      : undefined;
  }, [board]);
}

/**
 * Lets a finger drag; a tap is still a tap.
 * @param {SVGSVGElement} svg
 * @param {(dx: number, dy: number) => boolean} drag told how far, in points of the screen; whether that did anything
 */
function dragging(svg, drag) {
  /** @type {Point | null} */
  let last = null;
  let dragged = false;
  const down = (/** @type {PointerEvent} */ event) => {
    last = event.isPrimary ? { x: event.clientX, y: event.clientY } : null;
    dragged = false;
  };
  const move = (/** @type {PointerEvent} */ event) => {
    if (!last || !event.buttons) return;
    const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
    if ((!dragged && Math.hypot(dx, dy) < DRAG) || !drag(dx, dy)) return;
    dragged = true;
    last = { x: event.clientX, y: event.clientY };
  };
  const up = () => void (last = null);
  const click = (/** @type {MouseEvent} */ event) => {
    if (dragged) event.stopPropagation();
    dragged = false;
  };
  svg.addEventListener("pointerdown", down);
  svg.addEventListener("click", click, true);
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", up);
  window.addEventListener("pointercancel", up);
  return () => {
    svg.removeEventListener("pointerdown", down);
    svg.removeEventListener("click", click, true);
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", up);
    window.removeEventListener("pointercancel", up);
  };
}

/**
 * The same view in a room that has changed: as near as before, and about the same place.
 * @param {Box | null} box
 * @param {Room} before
 * @param {Room} room
 * @param {Drawn} board
 * @returns {Box | null}
 */
function steady(box, before, room, board) {
  if (!box || (before.width === room.width && before.height === room.height)) return box;
  const [width, height] = [(box.width * room.width) / before.width, (box.height * room.height) / before.height];
  return fill({ ...box, y: box.y + (box.height - height) / 2, height, width }, room, board);
}

/** A view moved so that it shows as little as possible from beside the board. @param {Box} box @param {Drawn} board @returns {Box} */
function inside(box, board) {
  const within = (/** @type {number} */ at, /** @type {number} */ size, /** @type {number} */ most) =>
    size > most ? (most - size) / 2 : Math.min(Math.max(at, 0), most - size);
  return { ...box, x: within(box.x, box.width, board.width), y: within(box.y, box.height, board.height) };
}

/**
 * A box grown to the shape of the room for it.
 * @param {Box} box
 * @param {Room} room
 * @param {Drawn} board
 * @param {{ nearest: number, farthest: number }} [limits] points of the screen for a unit of the board
 * @returns {Box}
 */
function fill(box, room, board, { nearest, farthest } = { nearest: Infinity, farthest: 0 }) {
  const wanted = Math.max(box.width, (box.height * room.width) / room.height, room.width / nearest);
  const width = Math.min(wanted, room.width / farthest);
  const height = (width * room.height) / room.width;
  const [x, y] = [box.x - (width - box.width) / 2, box.y - (height - box.height) / 2];
  return inside({ x, y, width, height }, board);
}

/**
 * A view moved just so far that it shows some places; the same one if it does already.
 * @param {Box} view
 * @param {readonly Point[]} places
 * @param {number} margin
 * @param {Drawn} board
 */
function moved(view, places, margin, board) {
  if (!places.length) return view;
  const box = around(places, board, margin);
  const along = (/** @type {"x" | "y"} */ side, /** @type {"width" | "height"} */ size) => {
    const [least, most] = [box[side] + box[size] - view[size], box[side]];
    return least > most ? (least + most) / 2 : Math.min(Math.max(view[side], least), most);
  };
  const [x, y] = [along("x", "width"), along("y", "height")];
  return x === view.x && y === view.y ? view : inside({ ...view, x, y }, board);
}

/**
 * The part of the board that matters: as much of it as can be seen near enough, and always whom it is about.
 * @param {Framing} framing
 * @param {Drawn} board
 * @param {Room} room
 */
function closeUp(framing, board, room) {
  const places = [...framing.movers, ...framing.around];
  if (!places.length) return fill({ x: 0, y: 0, width: board.width, height: board.height }, room, board);
  const about = around(places, board, AROUND);
  return moved(fill(about, room, board, { nearest: NEAREST, farthest: FARTHEST }), framing.movers, CHARIOT, board);
}
