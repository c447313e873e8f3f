/**
 * What a race was, as a poster: who won by how much, everybody's way, figures, the turn that decided it; to be shared.
 * @module
 * @import { ChronicleShown } from "../lib/types.js"
 */
import * as api from "../lib/api.js";
import { html, useEffect, useSignal } from "../lib/html.js";
import { Link } from "../lib/router.js";
import { Wheel } from "../lib/wheel.js";
import { words as all } from "../lib/words.js";
import { Chart } from "../race/chart.js";
import { Figures, Places } from "../race/figures.js";
import { Share } from "../race/share.js";
import words from "../words/race.js";

/** The race that an address names, from 0. @param {string | undefined} text */
const numberOf = (text) => (/^[1-9]\d{0,3}$/.test(text ?? "") ? Number(text) - 1 : 0);

/** @param {{ params: Record<string, string> }} props */
export default function Page({ params }) {
  const replay = params["replay"] ?? "";
  const race = numberOf(params["race"]);
  const shown = useSignal(/** @type {ChronicleShown | null} */ (null));
  const problem = useSignal("");
  const tries = useSignal(0);
  useEffect(() => {
    let wanted = true;
    shown.value = null;
    problem.value = "";
    api.chronicle(replay, race).then(
      (answer) => wanted && (shown.value = answer),
      (thrown) => wanted && (problem.value = api.sentence(thrown)),
    );
    return () => void (wanted = false);
  }, [replay, race, tries.value]);
  useEffect(() => {
    if (shown.value) document.title = words.pageTitle(shown.value.praise.headline);
  }, [shown.value]);
  if (problem.value) return html`<${Lost} replay=${replay} problem=${problem.value} again=${() => (tries.value += 1)} />`;
  if (!shown.value) return html`<${Waiting} />`;
  return html`<${Poster} key=${`${replay} ${race}`} replay=${replay} race=${race} shown=${shown.value} />`;
}

function Waiting() {
  return html`<div class="whole-page" role="status">
    <${Wheel} rolling />
    <p>${words.loading}</p>
    <p class="soft">${words.loadingMore}</p>
  </div>`;
}

/** @param {{ replay: string, problem: string, again: () => void }} props */
function Lost({ replay, problem, again }) {
  const [table, game] = replay.split(".");
  return html`<div class="whole-page">
    <${Wheel} />
    <h1>${words.lostTitle}</h1>
    <p role="alert">${problem}</p>
    <p class="row race-elsewhere">
      <button class="button" type="button" onClick=${again}>${all.shell.tryAgain}</button>
      ${game && html`<${Link} class="button" href=${`/t/${table}`}>${words.toTable}<//>`}
      <${Link} class="button primary" href="/">${all.shell.toLobby}<//>
    </p>
  </div>`;
}

/** @param {{ replay: string, race: number, shown: ChronicleShown }} props */
function Poster({ replay, race, shown }) {
  const chosen = useSignal(/** @type {number | null} */ (null));
  const { chronicle, praise } = shown;
  const facts = [
    ...(chronicle.of > 1 ? [words.raceOf(race + 1, chronicle.of)] : []),
    words.course(chronicle.course, chronicle.direction),
    words.turns(chronicle.scenes.length - 1),
  ];
  return html`<article class="race-poster">
    <header class="race-head">
      <p class="race-facts">${facts.join(" · ")}</p>
      <h1>${praise.headline}</h1>
      <${Places} chronicle=${chronicle} />
      ${praise.teams && html`<p class="soft">${praise.teams}</p>`}
    </header>
    <section class="race-stage card">
      <h2 class="visually-hidden">${words.chart}</h2>
      <${Chart} chronicle=${chronicle} chosen=${chosen.value} />
      <ul class="race-story">
        ${praise.story.map((sentence) => html`<li key=${sentence}>${sentence}</li>`)}
      </ul>
    </section>
    <section class="race-decided card">
      <h2>${words.decided}</h2>
      ${
        chronicle.decided && praise.decided
          ? html`<p class="race-played"><b>${words.turn(chronicle.decided.turn)}</b> ${praise.decided.played}</p>
              <p>${praise.decided.verdict}</p>
              <p class="soft">${words.byValues}</p>
              <${Link} class="button" id="moment" href=${`/replay/${encodeURIComponent(replay)}?race=${race + 1}&turn=${chronicle.decided.scene}`}>
                ${words.seeIt}
              <//>`
          : html`<p>${words.undecided}</p>`
      }
    </section>
    <${Share} replay=${replay} race=${race} headline=${praise.headline} />
    <${Figures} chronicle=${chronicle} chosen=${chosen} />
  </article>`;
}
