/**
 * The board of a replay: chariots where a scene has them, and running when it is played; the crowd sees it all again.
 * @module
 * @import { Board } from "../table/picture.js"
 * @import { Player } from "./player.js"
 * @import { Scene } from "./reel.js"
 */
import { html, useEffect, useLayoutEffect, useRef } from "../lib/html.js";
import { Circus } from "../stage/circus.js";
import { Chariot, place } from "../table/chariots.js";
import { Runner, curve } from "../table/motion.js";
import words from "../words/replay.js";
import { pace } from "./player.js";

/** @param {{ player: Player, board: Board }} props */
export function Arena({ player, board }) {
  const painting = useRef(/** @type {HTMLDivElement | null} */ (null));
  const ground = useRef(/** @type {SVGGElement | null} */ (null));
  const air = useRef(/** @type {SVGGElement | null} */ (null));
  const rigs = useChariots(player, board, ground, air);
  const { width, height } = board;
  const box = `0 0 ${width} ${height}`;
  useLayoutEffect(() => {
    painting.current?.replaceChildren(board.painting);
    board.painting.setAttribute("viewBox", box);
  }, [board, box]);

  const scene = player.scene;
  const way = [scene.origin ?? -1, ...(scene.way ?? [])].flatMap((id) => board.spaces[id] ?? []);
  return html`<div class="stage replay-stage" style=${{ "--ratio": width / height }}>
    <div class="painting" ref=${painting} aria-hidden="true"></div>
    <svg class="play" viewBox=${box} role="img" aria-label=${words.board}>
      ${way.length > 1 && html`<path class="way-edge" d=${curve(way)} /><path class="way" d=${curve(way)} />`}
      <g class="stage-ground" ref=${ground}></g>
      <g class="chariots">
        ${scene.all.map(
          (chariot, i) =>
            html`<${Chariot}
              key=${i}
              colour=${chariot.colour}
              leads=${chariot.leads && chariot.lap > 0}
              asked=${scene.mover === i}
              take=${(/** @type {SVGGElement | null} */ rig) => (rigs.current[i] = rig)}
            />`,
        )}
      </g>
      <g class="stage-air" ref=${air}></g>
    </svg>
  </div>`;
}

/**
 * Keeps the chariots where the scene has them, and lets them run.
 * @param {Player} player
 * @param {Board} board
 * @param {{ current: SVGGElement | null }} ground
 * @param {{ current: SVGGElement | null }} air
 */
function useChariots(player, board, ground, air) {
  const rigs = useRef(/** @type {(SVGGElement | null)[]} */ ([]));
  const runs = useRef(/** @type {{ mover: number, done: () => void } | null} */ (null));
  const settle = () => {
    player.scenes[player.at.peek()].all.forEach((chariot, i) => {
      const rig = rigs.current[i];
      if (!rig || runs.current?.mover === i) return;
      const space = chariot.space === null ? undefined : board.spaces[chariot.space];
      rig.classList.toggle("gone", !space);
      if (space) place(rig, { x: space.x, y: space.y, angle: space.heading });
    });
  };
  useEffect(() => {
    if (!ground.current || !air.current) return undefined;
    const circus = new Circus(board, ground.current, air.current);
    const runner = new Runner(
      (thing, at) => {
        const rig = rigs.current[thing];
        rig?.classList.remove("gone");
        if (rig) place(rig, at);
        circus.passes(at);
      },
      (running) => {
        if (running) return;
        const done = runs.current?.done;
        runs.current = null;
        settle();
        done?.();
      },
    );
    player.perform = (scene) => {
      const run = runOf(scene, board);
      if (!run) return Promise.resolve();
      return new Promise((done) => {
        runs.current = { mover: run.thing, done };
        runner.pace = pace.peek();
        runner.add([{ ...run, before: (time) => circus.begins(time), after: () => came(scene, run, circus, player) }]);
      });
    };
    player.cut = () => runner.clear();
    return () => {
      player.stop();
      player.perform = async () => {};
      player.cut = () => {};
      runner.close();
      circus.close();
    };
  }, [player, board]);
  useLayoutEffect(settle);
  return rigs;
}

/**
 * A chariot has come to rest: the circus answers as it did then.
 * @param {Scene} scene
 * @param {{ thing: number, points: { x: number, y: number }[] }} run
 * @param {Circus} circus
 * @param {Player} player
 */
function came(scene, { thing, points }, circus, player) {
  circus.ends();
  const at = /** @type {{ x: number, y: number }} */ (points.at(-1));
  const before = player.scenes[player.scenes.indexOf(scene) - 1]?.all[thing];
  if (scene.home) circus.home();
  else if (before?.coin && !scene.all[thing].coin) circus.tribute(at, false);
  else if (scene.all[thing].leads && before && !before.leads) circus.cheer(at, 2);
}

/**
 * @param {Scene} scene
 * @param {Board} board
 */
function runOf(scene, board) {
  if (scene.mover === undefined || !scene.way?.length) return null;
  const points = [scene.origin ?? -1, ...scene.way].flatMap((id) => board.spaces[id] ?? []);
  const last = points.at(-1);
  return last ? { thing: scene.mover, points, angle: last.heading } : null;
}
