/**
 * The board of the landing page, with four chariots that race round it slowly. They run while they are seen; where
 * motion is not wanted they stand. It is a picture and no race: nobody is told anything by it.
 * @module
 * @import { SpaceShown } from "../lib/types.js"
 * @import { Posture } from "../board/motion.js"
 */
import * as api from "../lib/api.js";
import { html, useEffect, useRef, useState } from "../lib/html.js";

const LAP = 44_000; // milliseconds
const APART = 0.042; // of a lap, from one to the next
const SWAY = 0.011; // how far each falls back and catches up
const GRAIN = 400; // places on a lap that are measured
const FINE = 12; // steps from space to space by which it is
const CROWD = /** @type {const} */ ([
  ["red", 0, 7100],
  ["blue", 1, 8300],
  ["green", 0, 6100],
  ["yellow", 1, 9700],
]);
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {typeof import("../board/chariots.js")} Chariots */
/** @typedef {{ x: number, y: number, angle: number }[]} Lap  places on a closed way, all as far apart */
/** @typedef {{ chariots: Chariots, laps: Lap[], width: number, height: number }} Stage */

export function Hero() {
  const [stage, setStage] = useState(/** @type {Stage | null} */ (null));
  useEffect(() => {
    let wanted = true;
    prepared().then(
      (ready) => wanted && setStage(ready),
      () => undefined, // the board is there all the same
    );
    return () => void (wanted = false);
  }, []);
  return html`<figure class="hero-board" aria-hidden="true">
    <img src=${api.picture("white", "clockwise")} alt="" width="1297" height="1046" />
    ${stage && html`<${Runners} stage=${stage} />`}
  </figure>`;
}

/** What the chariots need, once the page itself is there. @returns {Promise<Stage>} */
async function prepared() {
  const [course, chariots] = await Promise.all([api.course("white", "clockwise"), import("../board/chariots.js")]);
  const laps = [0, 1].map((lane) => measured(middles(course.spaces, lane)));
  return { chariots, laps, width: course.width, height: course.height };
}

/** The middles of a lane's spaces, all round: those side by side share a name but for its last letter.
 * @param {SpaceShown[]} spaces @param {number} lane */
function middles(spaces, lane) {
  /** @type {Map<string, SpaceShown[]>} */
  const abreast = new Map();
  for (const space of spaces.filter((one) => !one.alley)) {
    const row = space.name.slice(0, -1);
    abreast.set(row, [...(abreast.get(row) ?? []), space]);
  }
  return [...abreast.values()].map((row) => {
    const first = row.length > 2 ? 1 : 0; // where the track is wide, the two in the middle
    return row[Math.min(first + lane, row.length - 1)];
  });
}

/** A smooth closed curve through points, as places at equal distances. @param {{ x: number, y: number }[]} points @returns {Lap} */
function measured(points) {
  const fine = points.flatMap((_, i) => Array.from({ length: FINE }, (_, k) => between(points, i, k / FINE)));
  const far = [0];
  fine.forEach(({ x, y }, i) => {
    const next = fine[(i + 1) % fine.length];
    far.push(far[i] + Math.hypot(next.x - x, next.y - y));
  });
  let found = 0;
  const places = Array.from({ length: GRAIN }, (_, i) => {
    const wanted = (far[fine.length] * i) / GRAIN;
    while (far[found + 1] < wanted) found += 1;
    const [from, to] = [fine[found], fine[(found + 1) % fine.length]];
    const share = (wanted - far[found]) / (far[found + 1] - far[found] || 1);
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
  });
  return places.map(({ x, y }, i) => {
    const [behind, ahead] = [places[(i + GRAIN - 1) % GRAIN], places[(i + 1) % GRAIN]];
    return { x, y, angle: (Math.atan2(ahead.y - behind.y, ahead.x - behind.x) * 180) / Math.PI };
  });
}

/** A part of the way from one of the points to the next, on a smooth curve through all (Catmull and Rom's).
 * @param {{ x: number, y: number }[]} points @param {number} i @param {number} part */
function between(points, i, part) {
  const at = (/** @type {number} */ k) => points[(k + points.length) % points.length];
  const along = (/** @type {"x" | "y"} */ side) => {
    const [before, from, to, after] = [at(i - 1)[side], at(i)[side], at(i + 1)[side], at(i + 2)[side]];
    const bend = 2 * before - 5 * from + 4 * to - after + part * (3 * (from - to) + after - before);
    return from + (part / 2) * (to - before + part * bend);
  };
  return { x: along("x"), y: along("y") };
}

/** @param {{ stage: Stage }} props */
function Runners({ stage }) {
  const { Chariot, place } = stage.chariots;
  const drawing = useRef(/** @type {SVGSVGElement | null} */ (null));
  const rigs = useRef(/** @type {(SVGGElement | null)[]} */ ([]));
  useEffect(() => {
    const put = (/** @type {number} */ time) =>
      CROWD.forEach(([, lane, sway], i) => {
        const rig = rigs.current[i];
        const part = time / LAP + 0.62 - i * APART + SWAY * Math.sin((2 * Math.PI * time) / sway);
        if (rig) place(rig, posture(stage.laps[lane], part, STILL.matches ? 0 : 1));
      });
    put(0);
    return STILL.matches ? undefined : whileSeen(drawing.current, put);
  }, [stage]);
  return html`<svg class="hero-runners" viewBox=${`0 0 ${stage.width} ${stage.height}`} ref=${drawing}>
    ${CROWD.map(
      ([colour], i) =>
        html`<${Chariot} key=${colour} colour=${colour} leads=${i === 0} take=${(/** @type {SVGGElement | null} */ rig) => (rigs.current[i] = rig)} />`,
    )}
  </svg>`;
}

/** Where a chariot is after a part of laps. @param {Lap} lap @param {number} part @param {number} speed @returns {Posture} */
function posture(lap, part, speed) {
  const at = (((part % 1) + 1) % 1) * GRAIN;
  const [i, share] = [Math.floor(at), at % 1];
  const [here, next, ahead] = [0, 1, 5].map((more) => lap[(i + more) % GRAIN]);
  const turned = (/** @type {number} */ to, /** @type {number} */ from) => ((to - from + 900) % 360) - 180;
  return {
    x: here.x + (next.x - here.x) * share,
    y: here.y + (next.y - here.y) * share,
    angle: here.angle + turned(next.angle, here.angle) * share,
    bend: turned(ahead.angle, here.angle) * 0.8,
    speed,
    driven: part * 2700,
  };
}

/** Calls for every frame while an element is on the screen and the page is looked at; time stands still otherwise.
 * @param {Element | null} element @param {(time: number) => void} draw @returns {() => void} what ends it */
function whileSeen(element, draw) {
  let frame = 0;
  let time = 0;
  let last = 0;
  const step = (/** @type {number} */ now) => {
    time += Math.min(now - last, 100);
    last = now;
    draw(time);
    frame = requestAnimationFrame(step);
  };
  const seen = new IntersectionObserver(([entry]) => {
    cancelAnimationFrame(frame);
    last = performance.now();
    if (entry.isIntersecting) frame = requestAnimationFrame(step);
  });
  if (element) seen.observe(element);
  return () => {
    cancelAnimationFrame(frame);
    seen.disconnect();
  };
}
