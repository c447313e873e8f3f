/**
 * What the podium is made of: what it says to you, the arch of a triumph, petals.
 * @module
 * @import * as t from "../lib/types.js"
 */
import { html } from "../lib/html.js";
import { roundsAfter, wentFor } from "../table/facts.js";
import words from "../words/stage.js";
import table from "../words/table.js";

/** The one chariot of the reader; null for who watches, or several at one screen. @param {t.TableShown} shown */
function mineOf({ yours, race }) {
  if (yours.length !== 1 || !race) return null;
  const i = race.chariots.findIndex((one) => one.seat === yours[0]);
  return i < 0 ? null : i;
}

/** How the race ended for a chariot, to its driver. @param {t.RaceShown} race @param {number} mine @param {readonly t.Line[]} story */
function fate(race, mine, story) {
  const chariot = /** @type {t.ChariotShown} */ (race.chariots[mine]);
  if (chariot.disqualified) return chariot.coin ? words.youOwed : words.youOut;
  if (chariot.place === 1) return words.youWin;
  if (chariot.status !== "home" || chariot.place === null) return words.youStop(chariot.to_go);
  const first = race.chariots.findIndex((one) => one.place === 1);
  const rounds = roundsAfter(story, mine, first);
  return words.youCome(table.ordinal(chariot.place), rounds, race.chariots[first]?.name ?? "");
}

/** Where the reader stands in a tournament. @param {t.TableShown} shown */
function standing({ standings, seats, yours, phase }) {
  const mine = standings.find((one) => one.seat === yours[0]);
  const best = standings[0];
  if (!mine || !best) return "";
  if (mine === best) return phase === "over" ? words.youTriumph : words.youLead(mine.laurels);
  const leader = seats.find((seat) => seat.seat === best.seat)?.name ?? "";
  return words.youTrail(table.ordinal(mine.rank), best.laurels - mine.laurels, leader);
}

/** What the podium says to the reader: his place and what it came from. @param {{ shown: t.TableShown, story: readonly t.Line[] }} props */
export function ToYou({ shown, story }) {
  const { race } = shown;
  const mine = mineOf(shown);
  if (!race || mine === null) return null;
  const chariot = /** @type {t.ChariotShown} */ (race.chariots[mine]);
  const why = [words.missed(wentFor(story, mine).missed)];
  if (chariot.wasted !== null) why.push(words.wasted(chariot.wasted));
  if (chariot.status === "home" && chariot.points_left) why.push(words.left(chariot.points_left));
  return html`<div class="podium-you" id="to-you">
    <p class="podium-fate">${fate(race, mine, story)}</p>
    <p class="soft">${why.join(" · ")}</p>
    ${shown.stages.length > 1 && html`<p>${standing(shown)}</p>`}
  </div>`;
}

/** An opening of the arch, as path data. @param {number} x @param {number} half @param {number} spring where it begins to bend */
const opening = (x, half, spring) => `M${x - half} 330V${spring}A${half} ${half} 0 0 1 ${x + half} ${spring}V330z`;
const OPENINGS = opening(-148, 58, 196) + opening(0, 70, 162) + opening(148, 58, 196);
const JOINTS = [112, 142].map((y) => `M-262 ${y}H-76M76 ${y}H262`).join("") + "M-262 330V72M262 330V72";

/** A triumphal arch with room for three; the winner of all races stands in the middle. */
export function Arch() {
  return html`<svg class="podium-arch" viewBox="-272 -6 544 336" aria-hidden="true">
    <path class="podium-marble" d="M-248 2H248V68H-248z" />
    <path class="podium-marble" d="M-262 67H262V330H-262z" />
    <path class="podium-joints" d=${JOINTS} />
    <path class="podium-openings" d=${OPENINGS} />
    <path class="podium-gold" d="M-256 1H256M-268 67H268" />
    ${[-148, 148].map((x) => html`<path class="podium-garland" d=${`M${x - 46} 88Q${x} 128 ${x + 46} 88`} />`)}
    <text y="44">IO · TRIVMPHE</text>
  </svg>`;
}

/** Where a petal falls, when and how fast: as good as by chance. */
const PETALS = Array.from({ length: 28 }, (_, i) => ({
  "--from": `${(i * 37 + 11) % 100}%`,
  "--late": `${((i * 17) % 44) / 10}s`,
  "--time": `${3.8 + ((i * 7) % 19) / 10}s`,
}));

/** Roses from the upper rows. */
export function Petals() {
  return html`<div class="podium-petals" aria-hidden="true">${PETALS.map((style) => html`<i style=${style}></i>`)}</div>`;
}
