/**
 * The board of a replay: chariots where a scene has them, and running when it is played; the crowd sees it all again.
 * @module
 * @import { Track } from "../board/field.js"
 * @import { Board } from "../board/picture.js"
 * @import { Player } from "./player.js"
 * @import { Scene } from "./reel.js"
 */
import { Field } from "../board/field.js";
import { curve } from "../board/motion.js";
import { html, useCallback, useLayoutEffect, useRef } from "../lib/html.js";
import words from "../words/replay.js";
import { pace } from "./player.js";
import { happenedTo } from "./reel.js";

/** @param {{ player: Player, board: Board }} props */
export function Arena({ player, board }) {
  const painting = useRef(/** @type {HTMLDivElement | null} */ (null));
  const enter = useCallback((/** @type {Track} */ track) => performOn(track, player), [player]);
  const { width, height } = board;
  const box = `0 0 ${width} ${height}`;
  useLayoutEffect(() => {
    painting.current?.replaceChildren(board.painting);
    board.painting.setAttribute("viewBox", box);
  }, [board, box]);

  const scene = player.scene;
  const way = [scene.origin ?? -1, ...(scene.way ?? [])].flatMap((id) => board.spaces[id] ?? []);
  const chariots = scene.all.map(({ colour, space, leads, lap }, i) => ({
    colour,
    space,
    leads: leads && lap > 0,
    asked: scene.mover === i,
  }));
  return html`<div class="stage replay-stage" style=${{ "--ratio": width / height }}>
    <div class="painting" ref=${painting} aria-hidden="true"></div>
    <svg class="play" viewBox=${box} role="img" aria-label=${words.board}>
      ${way.length > 1 && html`<path class="way-edge" d=${curve(way)} /><path class="way" d=${curve(way)} />`}
      <${Field} board=${board} chariots=${chariots} enter=${enter} />
    </svg>
  </div>`;
}

/**
 * Lets chariots run as the player plays.
 * @param {Track} track
 * @param {Player} player
 */
function performOn(track, player) {
  player.perform = (scene) => {
    track.pace = pace.peek();
    const { mover, origin, way } = scene;
    if (mover === undefined) return Promise.resolve();
    return track.perform({ chariot: mover, origin, way, after: (at) => came(scene, mover, at, track, player) });
  };
  player.cut = () => track.clear();
  return () => {
    player.stop();
    player.perform = async () => {};
    player.cut = () => {};
  };
}

/**
 * A chariot has come to rest: the circus answers as it did then.
 * @param {Scene} scene
 * @param {number} mover
 * @param {{ x: number, y: number }} at
 * @param {Track} track
 * @param {Player} player
 */
function came(scene, mover, at, { circus }, player) {
  const happened = happenedTo(mover, player.film, player.scenes.indexOf(scene));
  if (scene.home) circus?.home();
  else if (happened.includes("pays")) circus?.tribute(at, false);
  else if (happened.includes("leads")) circus?.cheer(at, 2);
}
