/**
 * A little race beside its clause: a piece of the board, the chariots on it, the cards of whoever is on turn, and the
 * same in words. It runs while it is seen; where motion is not wanted it shows its best moment and waits.
 * @module
 * @import { Track } from "../board/field.js"
 * @import { Board } from "../board/picture.js"
 * @import { Beat, LittleRace } from "../lib/types.js"
 */
import { Field } from "../board/field.js";
import { curve } from "../board/motion.js";
import { loadBoard } from "../board/picture.js";
import { Mark } from "../board/signs.js";
import { html, useCallback, useEffect, useMemo, useRef, useSignal } from "../lib/html.js";
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
  const enter = useCallback((/** @type {Track} */ track) => performOn(track, loop), [loop]);
  const beat = race.beats[loop.at.value];
  const way = [beat.origin ?? -1, ...(beat.way ?? [])].flatMap((id) => board.spaces[id] ?? []);
  const refused = beat.to === undefined ? undefined : board.spaces[beat.to];
  const stop = beat.pays ? board.spaces[beat.way?.at(-1) ?? -1] : undefined;
  const size = Math.min(Math.max(race.box.width / USUAL, 1), LARGEST);
  const chariots = race.colours.map((colour, i) => ({
    colour,
    space: beat.spaces[i] ?? null,
    leads: beat.leads.includes(i),
    asked: beat.mover === i,
  }));
  return html`<svg class="rb-play play" viewBox=${boxOf(race)} role="img" aria-label=${words.scene(race.about)} style=${{ "--chariot": 1.15 * size }}>
    ${beat.targets?.map((id) => html`<path key=${id} class="rb-target" d=${board.outlines[id]} />`)}
    ${way.length > 1 && html`<path class="way-edge" d=${curve(way)} /><path class="way" d=${curve(way)} />`}
    ${refused && html`<path class="rb-refused" d=${board.outlines[beat.to ?? 0]} />`}
    <${Field} board=${board} chariots=${chariots} enter=${enter} quiet />
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
 * Lets chariots run as the beats are played.
 * @param {Track} track
 * @param {Loop} loop
 */
function performOn(track, loop) {
  track.pace = 0.7;
  loop.perform = ({ mover, origin, way }) =>
    mover === undefined || mover === null ? Promise.resolve() : track.perform({ chariot: mover, origin, way });
  loop.cut = () => track.clear();
  return () => {
    loop.stop();
    loop.perform = async () => {};
    loop.cut = () => {};
  };
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
