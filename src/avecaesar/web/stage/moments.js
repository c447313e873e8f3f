/**
 * Moments over the board: somebody hails Caesar, the last straight begins, the first is home. They never stand in the
 * way of a hand or a key, and without motion they say the same.
 * @module
 * @import { Session } from "../table/session.js"
 * @import { Colour } from "../lib/types.js"
 */
import { html, signal } from "../lib/html.js";
import { words as all } from "../lib/words.js";
import { Chariot, place } from "../table/chariots.js";
import { Mark } from "../table/signs.js";
import words from "../words/stage.js";
import { nearlyHome } from "./facts.js";

/** @typedef {{ name: string, colour: Colour }} Somebody */
/** @typedef {{ kind: "ave", who: Somebody, own: boolean }} Hailing */
/** @typedef {{ kind: "straight", who: Somebody, toGo: number }} Straight */
/** @typedef {{ kind: "photo", who: Somebody, turn: number, next: (Somebody & { toGo: number }) | null }} Photo */
/** @typedef {Hailing | Straight | Photo} Moment */

const TIMES = { ave: 1700, straight: 1800, photo: 2600 };

/** What is called out now. */
export const moment = signal(/** @type {(Moment & { id: number }) | null} */ (null));
const GLANCE = 600; // milliseconds for which a photo is seen even by who plays on at once
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

/** @param {{ session: Session }} props */
export function Moments({ session }) {
  const now = moment.value;
  const mood = nearlyHome(session.race.value);
  return html`<div class="stage-moments" aria-hidden="true">
    ${(mood || now?.kind === "straight") && html`<${Mood} />`}
    ${now?.kind === "ave" && html`<${Cry} key=${now.id} kind=${now.own ? "ave own" : "ave"} who=${now.who} cry=${`${all.shell.name}!`} more=${now.own ? words.youPay : words.pays(now.who.name)} />`}
    ${now?.kind === "straight" && html`<${Cry} key=${now.id} kind="straight" who=${now.who} cry=${words.straight} more=${words.straightOf(now.who.name, now.toGo)} />`}
    ${now?.kind === "photo" && html`<${PhotoFinish} key=${now.id} photo=${now} />`}
  </div>`;
}

/** @param {{ kind: string, who: Somebody, cry: string, more: string }} props */
function Cry({ kind, who, cry, more }) {
  return html`<div class=${`stage-cry ${kind}`}>
    <${Mark} colour=${who.colour} />
    <p><b>${cry}</b><span>${more}</span></p>
  </div>`;
}

const PENNANTS = Array.from({ length: 40 }, (_, i) => i);

/** The circus before the end: pennants, and everything else a little darker. */
function Mood() {
  return html`<div class="stage-mood">
    <svg viewBox="0 0 1200 40" preserveAspectRatio="xMidYMin slice">
      <path class="stage-cord" d=${PENNANTS.map((i) => `M${i * 30} 2q15 8 30 0`).join("")} />
      ${PENNANTS.map((i) => html`<path class=${`stage-pennant-${i % 3}`} d=${`M${i * 30 + 4} 4h22l-11 26z`} />`)}
    </svg>
  </div>`;
}

const LINE = 96; // where it is in the photo
const FIELD = "M-180-36H180M-180 0H180M-180 36H180";

/** The first one home, and how far the next is. @param {{ photo: Photo }} props */
function PhotoFinish({ photo }) {
  return html`<div class="stage-flash"></div>
    <figure class="stage-photo">
      <${Picture} who=${photo.who} next=${photo.next} />
      <figcaption>
        <b>${words.photo}</b>
        <span>${words.firstHome(photo.who.name, photo.turn)}</span>
        <span>${photo.next ? words.behind(photo.next.name, photo.next.toGo) : words.nobodyBehind}</span>
      </figcaption>
    </figure>`;
}

/** @param {{ who: Somebody, next: (Somebody & { toGo: number }) | null }} props */
function Picture({ who, next }) {
  const at = (/** @type {number} */ x, /** @type {number} */ y) => (/** @type {SVGGElement | null} */ rig) =>
    rig && place(rig, { x, y, angle: 0, speed: 1, driven: x });
  return html`<svg viewBox="-180 -62 360 124">
    <rect class="stage-photo-sand" x="-180" y="-62" width="360" height="124" />
    <path class="stage-photo-lanes" d=${FIELD} />
    ${[0, 1].map((column) => html`<path class="stage-photo-line" d=${`M${LINE + column * 8 + 4} ${-62 + column * 8}V62`} />`)}
    ${next && html`<${Chariot} colour=${next.colour} leads=${false} take=${at(LINE - 62 - Math.min(next.toGo, 12) * 13, 20)} />`}
    <${Chariot} colour=${who.colour} leads=${true} take=${at(LINE - 4, -20)} />
  </svg>`;
}
