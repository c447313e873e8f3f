/**
 * Where on the screen something is said about a place of the board, so that it hides as little as possible.
 * @module
 */

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ width: number, height: number }} Size */

/** Directions in which it may stand, the best one first. @type {Record<"above" | "below", [number, number][]>} */
const AROUND = {
  above: [
    [0, -1],
    [0, 1],
    [1, 0],
    [-1, 0],
    [1, -1],
    [-1, -1],
    [1, 1],
    [-1, 1],
  ],
  below: [
    [0, 1],
    [1, 1],
    [-1, 1],
    [1, 0],
    [-1, 0],
    [0, -1],
  ],
};

/** Tells where places of the board are on the screen, seen from its corner. @param {SVGSVGElement} svg */
export function lens(svg) {
  const [matrix, frame] = [svg.getScreenCTM(), svg.getBoundingClientRect()];
  return (/** @type {Point} */ { x, y }) => {
    const at = new DOMPoint(x, y).matrixTransform(matrix ?? undefined);
    return { x: at.x - frame.left, y: at.y - frame.top };
  };
}

/**
 * The corner of something beside a place, within a frame, that covers as few as possible of the places to be kept free.
 * @param {Point} at
 * @param {Size} size
 * @param {Size} frame
 * @param {readonly Point[]} kept
 * @param {{ away: number, clear: number, first: "above" | "below" }} how `clear`: how much stays free round those places
 * @returns {Point}
 */
export function beside(at, size, frame, kept, { away, clear, first }) {
  const into = (/** @type {number} */ corner, /** @type {number} */ length, /** @type {number} */ room) =>
    Math.min(Math.max(corner, 4), Math.max(room - length - 4, 4));
  const covers = (/** @type {Point} */ { x, y }) =>
    kept.filter(
      (one) =>
        one.x > x - clear && one.x < x + size.width + clear && one.y > y - clear && one.y < y + size.height + clear,
    ).length;
  const spots = [1, 2, 3.2, 5].flatMap((far) =>
    AROUND[first].map(([dx, dy]) => ({
      x: into(at.x + dx * (size.width / 2 + away * far) - size.width / 2, size.width, frame.width),
      y: into(at.y + dy * (size.height / 2 + away * far) - size.height / 2, size.height, frame.height),
    })),
  );
  return spots.reduce((best, spot) => (covers(spot) < covers(best) ? spot : best));
}
