/**
 * After a race: the podium on the sand of the arena, laurels, standings, and what comes next.
 * @module
 * @import { Session } from "../table/session.js"
 * @import * as t from "../lib/types.js"
 */
import { Chariot, place } from "../board/chariots.js";
import { Mark } from "../board/signs.js";
import * as api from "../lib/api.js";
import { html, useEffect, useSignal } from "../lib/html.js";
import { liveryOf } from "../lib/liveries.js";
import { Link } from "../lib/router.js";
import { play } from "../lib/sounds.js";
import { Keeping } from "../replay/keeping.js";
import { Fairness, Finding, useCheck } from "../table/fairness.js";
import { moment } from "../table/moments.js";
import { GoOn } from "../table/ready.js";
import stage from "../words/stage.js";
import words from "../words/table.js";
import { Arch, Petals, ToYou } from "./laurels.js";
import { Stands } from "./stands.js";

/** @param {{ session: Session, unfolded?: boolean }} props `unfolded`: with all figures, where everything is read */
export function Podium({ session, unfolded = false }) {
  const looking = useSignal(false); // at the board
  const shown = session.shown.value;
  const race = shown?.race;
  const waits = session.running.value || ["photo", "home"].includes(moment.value?.kind ?? "");
  const ready = Boolean(race?.over && !waits);
  const triumph = shown?.phase === "over" && shown.stages.length > 1;
  useEffect(() => {
    if (ready) play(triumph ? "triumph" : "crowd");
  }, [ready]);
  const check = useCheck(shown, ready);
  if (!shown || !race || !ready) return null;
  if (looking.value)
    return html`<button class="button primary" id="podium-back" type="button" onClick=${() => (looking.value = false)}>
      ${words.podium.back}
    </button>`;
  const broken = typeof check?.found === "object" && check.found.verdict === "broken"; // then it comes first
  const last = shown.phase === "over";
  const many = shown.stages.length > 1;
  const placed = race.chariots.filter((one) => one.place !== null).sort((a, b) => Number(a.place) - Number(b.place));
  const honoured = placed.filter((one) => !one.disqualified && (one.status === "home" || one.laurels > 0));
  const winner = honoured[0];
  const champion = shown.seats.find((seat) => seat.seat === shown.standings[0]?.seat);
  const title =
    triumph && champion
      ? words.podium.wonTournament(champion.name)
      : winner
        ? words.podium.wins(winner.name)
        : words.podium.nobody;
  const people = triumph ? champions(shown) : honoured.slice(0, 3);
  const { paint, ink, edge } = liveryOf(people[0]?.colour ?? "white");
  return html`<section
    class=${triumph ? "triumph" : ""}
    id="podium"
    style=${{ "--winner": paint, "--on-winner": ink, "--winner-edge": edge }}
    aria-label=${triumph ? words.podium.triumph : words.podium.title}
  >
    <${Petals} />
    <div class="podium-sky">
      <div class="podium-awning" aria-hidden="true"></div>
      <p class="podium-kind">
        ${triumph ? words.podium.triumph : many ? words.raceOf(race.index, race.of) : words.podium.title}
      </p>
      <h2>${title}</h2>
      <div class="podium-stage">
        <${Stands} caesar=${!triumph} />
        ${triumph && html`<${Arch} />`}
        <${Steps} people=${people} many=${many} />
      </div>
    </div>
    <div class="podium-sand">
      <${ToYou} shown=${shown} story=${session.story.value} />
      ${broken && html`<${Finding} check=${check} />`}
      <div class="podium-on"><${GoOn} session=${session} last=${last} /></div>
      ${many && html`<div class="results"><${Standings} shown=${shown} /></div>`}
      <div class="next">
        <${Link} class="button" id="summary" href=${`/race/${shown.table}.${shown.game}?race=${race.index + 1}`}
          >${words.podium.summary}<//
        >
        <${Link} class="button" id="replay" href=${`/replay/${shown.table}.${shown.game}?race=${race.index + 1}`}
          >${words.podium.replay}<//
        >
        <button class="button" id="look" type="button" onClick=${() => (looking.value = true)}>${words.podium.look}</button>
      </div>
      ${!broken && html`<${Finding} check=${check} />`}
      ${last && html`<${Keeping} replay=${`${shown.table}.${shown.game}`} />`}
      <details class="podium-figures" id="figures" open=${unfolded}>
        <summary>${stage.figures}</summary>
        <div class="results">
          <${Places} race=${race} placed=${placed} many=${many} />
          ${many && html`<p class="podium-about">${stage.laurels}</p>`}
        </div>
        <a class="button quiet" id="record" href=${api.recordAt(shown.table, shown.game)} download>${words.podium.record}</a>
        ${(check || !shown.plan.lesson) && html`<${Fairness} shown=${shown} race=${race} check=${check} />`}
      </details>
    </div>
  </section>`;
}

/** The three best of the tournament. @param {t.TableShown} shown */
function champions(shown) {
  return shown.standings.slice(0, 3).flatMap((standing) => {
    const seat = shown.seats.find((one) => one.seat === standing.seat);
    return seat ? [{ name: seat.name, colour: seat.colour, laurels: standing.laurels }] : [];
  });
}

/** A chariot that stands on its step. @param {SVGGElement | null} rig */
const stand = (rig) => rig && place(rig, { x: 0, y: 0, angle: 0 });

/**
 * Three steps: the second stands left of the first, the third right.
 * @param {{ people: { name: string, colour: t.Colour, laurels: number }[], many: boolean }} props
 */
function Steps({ people, many }) {
  if (!people.length) return null;
  return html`<ol class="steps">
    ${people.map(
      (person, i) =>
        html`<li class=${`step step-${i + 1}`}>
          <span class="call">${person.name}</span>
          <svg class="podium-rig" viewBox="-34 -20 68 38" aria-hidden="true">
            <${Chariot} colour=${person.colour} leads=${i === 0} take=${stand} />
          </svg>
          <span class="block">
            <b>${words.roman[i]}</b>${many && html`<span>${words.podium.laurels(person.laurels)}</span>`}
          </span>
        </li>`,
    )}
  </ol>`;
}

/**
 * Who came home as what, and what he wasted; in a tournament also what it brought him.
 * @param {{ race: t.RaceShown, placed: t.ChariotShown[], many: boolean }} props
 */
function Places({ race, placed, many }) {
  const rest = race.chariots.filter((one) => one.place === null);
  return html`<table class="podium-tablet" id="places">
    <caption>
      ${words.podium.places}
    </caption>
    <tbody>
      ${[...placed, ...rest].map(
        (one) =>
          html`<tr class=${one.disqualified ? "disqualified" : ""}>
            <td class="rank">${one.place === null || one.disqualified ? "–" : words.ordinal(one.place)}</td>
            <td class="who"><${Mark} colour=${one.colour} />${one.name}</td>
            <td class="fate">${fateOf(one)}</td>
            ${many && html`<td class="laurels">${words.podium.laurels(one.laurels)}</td>`}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** What else there is to say of a chariot. @param {t.ChariotShown} one */
function fateOf(one) {
  if (one.disqualified) return words.disqualified;
  const state = one.status === "home" ? "" : words.states[one.status] || words.podium.notHome;
  return [state, one.wasted === null ? "" : stage.wasted(one.wasted)].filter(Boolean).join(" · ");
}

/** @param {{ shown: t.TableShown }} props */
function Standings({ shown }) {
  return html`<table class="podium-tablet" id="standings">
    <caption>
      ${words.podium.standings}
    </caption>
    <tbody>
      ${shown.standings.map((standing) => {
        const seat = shown.seats.find((one) => one.seat === standing.seat);
        return html`<tr>
          <td class="rank">${words.ordinal(standing.rank)}</td>
          <td class="who"><${Mark} colour=${seat?.colour ?? "white"} />${seat?.name}</td>
          <td class="fate">
            ${standing.places.flatMap((count, i) => (count ? words.podium.times(count, i + 1) : [])).join(", ")}
          </td>
          <td class="laurels">${words.podium.laurels(standing.laurels)}</td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}
