/**
 * A little race beside its clause: a piece of the board, the chariots on it, the cards of whoever is on turn, and the
 * same in words. It runs while it is seen; where motion is not wanted it shows its best moment and waits.
 * @module
 * @import { Board } from "../table/picture.js"
 * @import { Beat, LittleRace } from "../lib/types.js"
 */
import { html, useEffect, useLayoutEffect, useMemo, useRef, useSignal } from "../lib/html.js";
import { Chariot, place } from "../table/chariots.js";
import { Runner, curve } from "../table/motion.js";
import { loadBoard } from "../table/picture.js";
import { Mark } from "../table/signs.js";
import words from "../words/rules.js";
import { Loop } from "./loop.js";
import { ClauseMark } from "./tag.js";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const USUAL = 480; // units of the board across: on larger pieces chariots are drawn larger
const LARGEST = 1.9;

/** @param {{ race: LittleRace }} props */
export function Little({ race }) {
  const board = useSignal(/** @type {Board | null} */ (null));
  const loop = useMemo(() => new Loop(race.beats, STILL.matches ? race.key : 0), [race]);
  const figure = useRef(/** @type {HTMLElement | null} */ (null));
  useSeen(figure, loop);
  useEffect(() => {
    let wanted = true;
    loadBoard(race.course, race.direction, null).then(
      (loaded) => wanted && (board.value = loaded),
      () => undefined, // the words are there all the same
    );
    return () => void (wanted = false);
  }, [race]);
  const at = loop.at.value;
  const playing = loop.playing.value;
  return html`<figure class="rb-scene" ref=${figure} data-clause=${race.clause} data-beat=${at} data-playing=${playing}>
    <div class="rb-stage">
      <${Painting} race=${race} board=${board.value} />
      ${board.value && html`<${Play} race=${race} loop=${loop} board=${board.value} />`}
    </div>
    <figcaption>
      <div class="rb-below">
        <${Hand} race=${race} beat=${race.beats[at]} />
        <div class="rb-controls">
          <button class="tool" type="button" aria-label=${playing ? words.pause : words.play} title=${playing ? words.pause : words.play} onClick=${() => toggle(loop)}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d=${playing ? "M8 6v12M16 6v12" : "M8 5.5v13l10.5-6.5z"} />
            </svg>
          </button>
          <button class="tool" type="button" aria-label=${words.next} title=${words.next} onClick=${() => step(loop)}>
            <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 5.5v13l8.5-6.5zM18 6v12" /></svg>
          </button>
        </div>
      </div>
      <ol class="rb-beats" aria-label=${words.steps}>
        ${race.beats.map((beat, i) => html`<${Told} key=${i} race=${race} beat=${beat} now=${i === at} />`)}
      </ol>
    </figcaption>
  </figure>`;
}

/** @type {WeakSet<Loop>} */
const held = new WeakSet(); // loops that somebody has stopped by hand

/** @param {Loop} loop */
function toggle(loop) {
  if (loop.playing.value) {
    held.add(loop);
    loop.stop();
  } else {
    held.delete(loop);
    void loop.play();
  }
}

/** @param {Loop} loop */
function step(loop) {
  held.add(loop);
  void loop.step();
}

/**
 * Plays a loop while its figure is seen.
 * @param {{ current: HTMLElement | null }} figure
 * @param {Loop} loop
 */
function useSeen(figure, loop) {
  useEffect(() => {
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) loop.stop();
        else if (!loop.playing.peek() && !held.has(loop) && !STILL.matches) void loop.play();
      },
      { threshold: 0.35 },
    );
    if (figure.current) watch.observe(figure.current);
    return () => {
      watch.disconnect();
      loop.stop();
    };
  }, [loop]);
}

/** @param {LittleRace} race */
const boxOf = ({ box }) => `${box.x} ${box.y} ${box.width} ${box.height}`;

/** The piece of the board. @param {{ race: LittleRace, board: Board | null }} props */
function Painting({ race, board }) {
  return html`<svg class="rb-painting" viewBox=${boxOf(race)} aria-hidden="true">
    ${board && html`<image href=${race.picture} width=${board.width} height=${board.height} />`}
  </svg>`;
}

/** What happens on it. @param {{ race: LittleRace, loop: Loop, board: Board }} props */
function Play({ race, loop, board }) {
  const rigs = useChariots(loop, board);
  const beat = race.beats[loop.at.value];
  const way = [beat.origin ?? -1, ...(beat.way ?? [])].flatMap((id) => board.spaces[id] ?? []);
  const refused = beat.to === undefined ? undefined : board.spaces[beat.to];
  const stop = beat.pays ? board.spaces[beat.way?.at(-1) ?? -1] : undefined;
  const size = Math.min(Math.max(race.box.width / USUAL, 1), LARGEST);
  return html`<svg class="rb-play play" viewBox=${boxOf(race)} role="img" aria-label=${words.scene(race.about)} style=${{ "--chariot": 1.15 * size }}>
    ${beat.targets?.map((id) => html`<path key=${id} class="rb-target" d=${board.outlines[id]} />`)}
    ${way.length > 1 && html`<path class="way-edge" d=${curve(way)} /><path class="way" d=${curve(way)} />`}
    ${refused && html`<path class="rb-refused" d=${board.outlines[beat.to ?? 0]} />`}
    <g class="chariots">
      ${race.colours.map(
        (colour, i) =>
          html`<${Chariot}
            key=${i}
            colour=${colour}
            leads=${beat.leads.includes(i)}
            asked=${beat.mover === i}
            take=${(/** @type {SVGGElement | null} */ rig) => (rigs.current[i] = rig)}
          />`,
      )}
    </g>
    ${refused && html`<path class="rb-cross" transform=${`translate(${refused.x} ${refused.y}) scale(${size})`} d="M-11-11 11 11M11-11-11 11" />`}
    ${
      stop &&
      html`<g class="rb-coin" transform=${`translate(${stop.x} ${stop.y - 34}) scale(${size})`}>
        <circle r="12" />
        <path d="M-4 5V-3L0-6 4-3V5M-6 6H6" />
      </g>`
    }
  </svg>`;
}

/**
 * Keeps the chariots where the beat has them, and lets them run.
 * @param {Loop} loop
 * @param {Board} board
 */
function useChariots(loop, board) {
  const rigs = useRef(/** @type {(SVGGElement | null)[]} */ ([]));
  const run = useRef(/** @type {{ mover: number, done: () => void } | null} */ (null));
  const settle = () => {
    loop.beats[loop.at.peek()].spaces.forEach((id, i) => {
      const rig = rigs.current[i];
      if (!rig || run.current?.mover === i) return;
      const space = id === null ? undefined : board.spaces[id];
      rig.classList.toggle("gone", !space);
      if (space) place(rig, { x: space.x, y: space.y, angle: space.heading });
    });
  };
  useEffect(() => {
    const runner = new Runner(
      (thing, at) => {
        const rig = rigs.current[thing];
        rig?.classList.remove("gone");
        if (rig) place(rig, at);
      },
      (running) => {
        if (running) return;
        const done = run.current?.done;
        run.current = null;
        settle();
        done?.();
      },
    );
    runner.pace = 0.7;
    loop.perform = (beat) => {
      const points = [beat.origin ?? -1, ...(beat.way ?? [])].flatMap((id) => board.spaces[id] ?? []);
      const last = points.at(-1);
      const mover = beat.mover;
      if (!last || points.length < 2 || mover === undefined || mover === null) return Promise.resolve();
      return new Promise((done) => {
        run.current = { mover, done };
        runner.add([{ thing: mover, points, angle: last.heading }]);
      });
    };
    loop.cut = () => runner.clear();
    return () => {
      loop.stop();
      loop.perform = async () => {};
      loop.cut = () => {};
      runner.close();
    };
  }, [loop, board]);
  useLayoutEffect(settle);
  return rigs;
}

/** What lies before whoever is on turn. @param {{ race: LittleRace, beat: Beat }} props */
function Hand({ race, beat }) {
  const { mover, hand = [], card, piles = [] } = beat;
  if (mover === undefined || mover === null) return html`<div class="rb-hand"></div>`;
  const played = card === undefined ? -1 : hand.indexOf(card);
  return html`<div class="rb-hand" aria-hidden="true">
    <span class="rb-who"><${Mark} colour=${race.colours[mover]} leads=${beat.leads.includes(mover)} />${race.names[mover]}</span>
    ${hand.map((value, i) => html`<span key=${i} class=${`rb-card ${i === played ? `is-${beat.kind}` : ""}`}>${value}</span>`)}
    ${piles.map((size, i) => html`<span key=${`pile ${i}`} class="rb-pile"><b>${words.pile[i]}</b>${size}</span>`)}
  </div>`;
}

/** A beat in words. @param {{ race: LittleRace, beat: Beat, now: boolean }} props */
function Told({ race, beat, now }) {
  const tried = beat.kind === "refused" && beat.card !== undefined ? words.tries(race.names[beat.mover ?? 0], beat.card) : "";
  return html`<li class=${`rb-beat of-${beat.kind}`} aria-current=${now ? "step" : undefined}>
    ${tried && html`<span class="rb-tried">${tried} </span>`}${beat.words}
    ${beat.clause && html` <${ClauseMark} id=${beat.clause} />`}
  </li>`;
}
