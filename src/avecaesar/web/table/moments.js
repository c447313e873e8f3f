/**
 * Moments over the board: somebody hails Caesar, the last straight begins, somebody is home. They stand beside what they
 * tell of, never in the way of a hand or a key, and without motion they say the same.
 * @module
 * @import { Session } from "./session.js"
 * @import { Drawn } from "../board/field.js"
 * @import { Point } from "../board/spots.js"
 */
import { Chariot, place } from "../board/chariots.js";
import { caesarOn } from "../board/circus.js";
import { Mark } from "../board/signs.js";
import { beside, lens } from "../board/spots.js";
import { html, signal, useLayoutEffect, useRef } from "../lib/html.js";
import { words as all } from "../lib/words.js";
import words from "../words/stage.js";
import table from "../words/table.js";
import { nearlyHome } from "./facts.js";

/** @typedef {{ name: string, colour: string }} Somebody */
/** @typedef {{ kind: "ave", who: Somebody, own: boolean, at: Point }} Hailing */
/** @typedef {{ kind: "straight", who: Somebody, toGo: number, at: Point }} Straight */
/** @typedef {{ kind: "home", who: Somebody, place: number, turn: number, at: Point }} Homecoming */
/** @typedef {{ kind: "photo", first: Somebody, next: Somebody & { status: string, to_go: number }, turn: number }} Photo */
/** @typedef {Hailing | Straight | Homecoming | Photo} Moment */

const TIMES = { ave: 1700, straight: 1800, home: 1700, photo: 1800 };
const AWAY = 30; // points of the screen between a cry and what it is about
const CLEAR = 32; // and round what it must not cover

/** What is called out now. */
export const moment = signal(/** @type {(Moment & { id: number }) | null} */ (null));
const GLANCE = 400; // milliseconds for which a photo is seen even by who plays on at once
let [count, timer, since] = [0, 0, 0];

/** Calls something out for a while; a photo is not talked over. @param {Moment} next */
export function show(next) {
  if (moment.peek()?.kind === "photo" && next.kind !== "photo") return;
  clearTimeout(timer);
  count += 1;
  since = performance.now();
  moment.value = { ...next, id: count };
  timer = window.setTimeout(pass, TIMES[next.kind]);
}

/** What was called out is over. */
export function pass() {
  clearTimeout(timer);
  moment.value = null;
}

/** Somebody plays on: a photo is put away, once it was seen at all. */
export function cutPhoto() {
  if (moment.peek()?.kind === "photo" && performance.now() - since > GLANCE) pass();
}

/** @typedef {{ current: SVGSVGElement | null }} Play */

/** @param {{ session: Session, board: Drawn, play: Play }} props */
export function Moments({ session, board, play }) {
  const now = moment.value;
  return html`<div class="stage-moments" aria-hidden="true">
    ${now && now.kind !== "photo" && html`<${Cry} key=${now.id} session=${session} now=${now} board=${board} play=${play} />`}
    ${now?.kind === "photo" && html`<${PhotoFinish} key=${now.id} photo=${now} />`}
  </div>`;
}

/** What is called, and what more is said of it. @param {Hailing | Straight | Homecoming} now @returns {[string, string]} */
function callOf(now) {
  if (now.kind === "ave") return [`${all.shell.name}!`, now.own ? words.youPay : words.pays(now.who.name)];
  if (now.kind === "straight") return [words.straight, words.straightOf(now.who.name, now.toGo)];
  const first = now.place === 1;
  return [words.home, first ? words.firstHome(now.who.name, now.turn) : words.comes(now.who.name, table.ordinal(now.place))];
}

/**
 * A cry beside the chariot that it is about; it covers neither chariots nor Caesar nor, if that can be, spaces that are
 * lit.
 * @param {{ session: Session, now: Hailing | Straight | Homecoming, board: Drawn, play: Play }} props
 */
function Cry({ session, now, board, play }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  useLayoutEffect(() => {
    const [cry, svg] = [box.current, play.current];
    if (!cry || !svg) return undefined;
    const put = () => {
      const see = lens(svg);
      const caesar = caesarOn(board);
      const chariots = session.race.peek()?.chariots.flatMap((one) => board.spaces[one.space ?? -1] ?? []) ?? [];
      const lit = session.targets.peek().flatMap((offer) => board.spaces[offer.way.at(-1) ?? -1] ?? []);
      const kept = [now.at, caesar, ...chariots, ...lit].map(see);
      const size = { width: cry.offsetWidth, height: cry.offsetHeight };
      const frame = { width: svg.clientWidth, height: svg.clientHeight };
      const first = now.kind === "ave" ? "below" : "above";
      const spot = beside(see(now.at), size, frame, kept, { away: AWAY, clear: CLEAR, first });
      cry.style.left = `${spot.x}px`;
      cry.style.top = `${spot.y}px`;
    };
    put();
    const grown = new ResizeObserver(put); // on a phone the panel takes room when one is asked
    grown.observe(svg);
    return () => grown.disconnect();
  });
  const [cry, more] = callOf(now);
  return html`<div class=${`stage-cry ${now.kind}${now.kind === "ave" && now.own ? " own" : ""}`} ref=${box}>
    <${Mark} colour=${now.who.colour} />
    <p><b>${cry}</b><span>${more}</span></p>
  </div>`;
}

const PENNANT = 36; // units of the board

/**
 * The circus before the end: pennants along the board's edge, and everything else a little darker.
 * @param {{ session: Session, board: Drawn }} props
 */
export function Mood({ session, board }) {
  if (!nearlyHome(session.race.value)) return null;
  const pennants = Array.from({ length: Math.ceil(board.width / PENNANT) }, (_, i) => i);
  return html`<g class="stage-mood">
    <radialGradient id="stage-dusk" r="0.72">
      <stop offset="0.62" stop-color="#3c0e06" stop-opacity="0" />
      <stop offset="1" stop-color="#3c0e06" stop-opacity="0.46" />
    </radialGradient>
    <clipPath id="stage-edge"><rect width=${board.width} height=${board.height} /></clipPath>
    <rect width=${board.width} height=${board.height} fill="url(#stage-dusk)" />
    <g clip-path="url(#stage-edge)">
      <path class="stage-cord" d=${pennants.map((i) => `M${i * PENNANT} 2q${PENNANT / 2} 9 ${PENNANT} 0`).join("")} />
      ${[0, 1, 2].map(
        (paint) =>
          html`<path
            class=${`stage-pennant-${paint}`}
            d=${pennants.map((i) => (i % 3 === paint ? `M${i * PENNANT + 5} 5h26l-13 30z` : "")).join("")}
          />`,
      )}
    </g>
  </g>`;
}

const LINE = 96; // where it is in the photo
const FIELD = "M-180-36H180M-180 0H180M-180 36H180";

/** The first one home, and the next one close behind. @param {{ photo: Photo }} props */
function PhotoFinish({ photo: { first, next, turn } }) {
  return html`<div class="stage-flash"></div>
    <figure class="stage-photo">
      <span class="stage-photo-close">×</span>
      <${Picture} first=${first} next=${next} />
      <figcaption>
        <b>${words.photo}</b>
        <span>${words.firstHome(first.name, turn)}</span>
        <span>${next.status === "home" ? words.closeBehind(next.name) : words.behind(next.name, next.to_go)}</span>
      </figcaption>
    </figure>`;
}

/** @param {{ first: Somebody, next: Somebody & { to_go: number } }} props */
function Picture({ first, next }) {
  const at = (/** @type {number} */ x, /** @type {number} */ y) => (/** @type {SVGGElement | null} */ rig) =>
    rig && place(rig, { x, y, angle: 0, speed: 1, driven: x });
  return html`<svg viewBox="-180 -62 360 124">
    <rect class="stage-photo-sand" x="-180" y="-62" width="360" height="124" />
    <path class="stage-photo-lanes" d=${FIELD} />
    ${[0, 1].map((column) => html`<path class="stage-photo-line" d=${`M${LINE + column * 8 + 4} ${-62 + column * 8}V62`} />`)}
    <${Chariot} colour=${next.colour} leads=${false} take=${at(LINE - 62 - next.to_go * 13, 20)} />
    <${Chariot} colour=${first.colour} leads=${true} take=${at(LINE - 4, -20)} />
  </svg>`;
}
