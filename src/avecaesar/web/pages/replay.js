/**
 * The replay of a record: its races, each scrubbed, played and shared by link to any moment.
 * @module
 * @import { Board } from "../board/picture.js"
 * @import { Film, ReplayShown } from "../lib/types.js"
 */
import { loadBoard } from "../board/picture.js";
import * as api from "../lib/api.js";
import { html, useEffect, useMemo, useRef, useSignal } from "../lib/html.js";
import { remembered } from "../lib/prefs.js";
import { Link } from "../lib/router.js";
import { Wheel } from "../lib/wheel.js";
import { words as all } from "../lib/words.js";
import { Arena } from "../replay/arena.js";
import { Controls } from "../replay/controls.js";
import { Drivers } from "../replay/drivers.js";
import { Moments, RaceLog } from "../replay/log.js";
import { Papers } from "../replay/papers.js";
import { Player } from "../replay/player.js";
import { listed } from "../text/lists.js";
import words from "../words/replay.js";

const openHands = remembered("replay.hands", false);
const notation = remembered("replay.notation", true);
const SETTLED = 250; // milliseconds: an address bar is not rewritten at every turn of a fast race

/** A number in the address, counted from `least`. @param {string | undefined} text @param {number} least */
const number = (text, least) => Math.max(/^\d{1,6}$/.test(text ?? "") ? Number(text) : least, least);

/** @param {string} replay @param {number} race from 0 @param {number} turn */
const addressOf = (replay, race, turn) => `/replay/${encodeURIComponent(replay)}?race=${race + 1}&turn=${turn}`;

/** @param {{ params: Record<string, string> }} props */
export default function Page({ params }) {
  const id = params["replay"] ?? "";
  const shown = useSignal(/** @type {ReplayShown | null} */ (null));
  const problem = useSignal("");
  const tries = useSignal(0);
  useEffect(() => {
    let wanted = true;
    shown.value = null;
    problem.value = "";
    api.replay(id).then(
      (answer) => wanted && (shown.value = /** @type {ReplayShown} */ (/** @type {unknown} */ (answer))),
      (thrown) => wanted && (problem.value = api.sentence(thrown)),
    );
    return () => void (wanted = false);
  }, [id, tries.value]);
  useEffect(() => {
    if (shown.value) document.title = words.pageTitle(shown.value.title);
  }, [shown.value]);
  if (problem.value) return html`<${Lost} id=${id} problem=${problem.value} again=${() => (tries.value += 1)} />`;
  if (!shown.value) return html`<${Waiting} />`;
  return html`<${Replay} key=${id} replay=${shown.value} params=${params} />`;
}

function Waiting() {
  return html`<div class="whole-page"><${Wheel} rolling /><p class="soft" role="status">${words.loading}</p></div>`;
}

/** @param {{ id: string, problem: string, again: () => void }} props */
function Lost({ id, problem, again }) {
  const [table, game] = id.split(".");
  return html`<div class="whole-page">
    <${Wheel} />
    <h1>${words.lostTitle}</h1>
    <p role="alert">${problem}</p>
    <p class="row replay-elsewhere">
      <button class="button" type="button" onClick=${again}>${all.shell.tryAgain}</button>
      ${game && html`<${Link} class="button" href=${`/t/${table}`}>${words.toTable}<//>`}
      <${Link} class="button primary" href="/">${all.shell.toLobby}<//>
    </p>
  </div>`;
}

/** @param {{ replay: ReplayShown, params: Record<string, string> }} props */
function Replay({ replay, params }) {
  const last = replay.races.length - 1;
  const wanted = Math.min(number(params["race"], 1) - 1, last);
  const race = useSignal(wanted);
  const from = useSignal(number(params["turn"], 0));
  useEffect(() => {
    race.value = wanted;
    from.value = number(params["turn"], 0);
  }, [params["race"], params["turn"]]);
  const at = race.value;
  const { course, direction, sealed } = replay.races[at];
  return html`<div class="replay">
    <header class="replay-head">
      <div>
        <h1>${listed(replay.standings.map(({ name }) => name))}</h1>
        <p class="soft">
          ${words.course(course, direction)} · ${replay.edition}
          ${sealed && html` <span class="tag good" title=${words.sealedAbout}>${words.sealed}</span>`}
        </p>
      </div>
      <${Ways} replay=${replay.replay} race=${at} />
      ${last > 0 &&
      html`<${Tabs} count=${last + 1} at=${at} choose=${(/** @type {number} */ to) => {
        from.value = 0;
        race.value = to;
      }} />`}
    </header>
    <${RacePart} key=${`${at} ${from.value}`} replay=${replay} race=${at} from=${from.value} />
  </div>`;
}

/** To the summary, and back to the table where the race was run. @param {{ replay: string, race: number }} props from 0 */
function Ways({ replay, race }) {
  const [table, game] = replay.split(".");
  return html`<nav class="row replay-ways" aria-label=${words.ways}>
    ${game && html`<${Link} class="button small" id="table" href=${`/t/${table}`}>${words.toTable}<//>`}
    <${Link} class="button small" id="summary" href=${`/race/${encodeURIComponent(replay)}?race=${race + 1}`}>${words.summary}<//>
  </nav>`;
}

/** @param {{ count: number, at: number, choose: (race: number) => void }} props */
function Tabs({ count, at, choose }) {
  const tabs = useRef(/** @type {HTMLDivElement | null} */ (null));
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    const to = (at + by + count) % count;
    choose(to);
    /** @type {HTMLElement | undefined} */ (tabs.current?.children[to])?.focus();
  };
  return html`<div class="race-tabs" role="tablist" aria-label=${words.races} ref=${tabs} onKeyDown=${pressed}>
    ${Array.from(
      { length: count },
      (_, i) => html`<button key=${i} type="button" role="tab" aria-selected=${i === at} tabindex=${i === at ? 0 : -1} aria-controls="race" onClick=${() => choose(i)}>
        ${words.race(i + 1)}
      </button>`,
    )}
  </div>`;
}

/** @param {{ replay: ReplayShown, race: number, from: number }} props */
function RacePart({ replay, race, from }) {
  const film = useSignal(/** @type {{ film: Film, board: Board } | null} */ (null));
  const problem = useSignal("");
  const tries = useSignal(0);
  const { course, direction, board } = replay.races[race];
  useEffect(() => {
    let wanted = true;
    problem.value = "";
    Promise.all([api.film(replay.replay, race), loadBoard(course, direction, board)]).then(
      ([film_, board_]) => wanted && (film.value = { film: film_, board: board_ }),
      (thrown) => wanted && (problem.value = api.sentence(thrown)),
    );
    return () => void (wanted = false);
  }, [tries.value]);
  if (problem.value) return html`<${Lost} id=${replay.replay} problem=${problem.value} again=${() => (tries.value += 1)} />`;
  if (!film.value) return html`<${Waiting} />`;
  return html`<${Race} replay=${replay} race=${race} film=${film.value.film} board=${film.value.board} from=${from} />`;
}

/** @param {{ replay: ReplayShown, race: number, film: Film, board: Board, from: number }} props */
function Race({ replay, race, film, board, from }) {
  const player = useMemo(() => new Player(film, from), [film]);
  const at = player.at.value;
  const { scene } = player;
  useEffect(() => {
    const timer = setTimeout(() => history.replaceState(history.state, "", addressOf(replay.replay, race, at)), SETTLED);
    return () => clearTimeout(timer);
  }, [at]);
  return html`<div class="replay-race" id="race" role=${replay.races.length > 1 ? "tabpanel" : undefined}>
    <section class="replay-board">
      <${Arena} player=${player} board=${board} />
      <p class="replay-now" id="now">
        <b>${words.at(at, player.last)}</b> ${at === player.last ? film.result : (scene.words ?? words.grid)}
        ${scene.event && html` ${scene.event}`}
      </p>
      <${Controls} player=${player} />
    </section>
    <aside class="replay-aside">
      <section class="card replay-card">
        <div class="replay-title">
          <h2>${words.drivers}</h2>
          <${Toggle} pref=${openHands} label=${words.hands} id="hands" />
        </div>
        <${Drivers} player=${player} open=${openHands.value} />
      </section>
      <section class="card replay-card replay-log">
        <div class="replay-title">
          <h2>${words.log}</h2>
          <${Toggle} pref=${notation} label=${words.notation} id="notation" />
        </div>
        <${RaceLog} player=${player} notation=${notation.value} />
      </section>
      <section class="card replay-card">
        <${Papers} replay=${replay} address=${() => addressOf(replay.replay, race, player.at.value)} />
      </section>
    </aside>
    <section class="replay-more">
      <details class="card replay-card">
        <summary><h2>${words.moments}</h2></summary>
        <${Moments} player=${player} />
      </details>
      ${replay.races.length > 1 &&
      html`<details class="card replay-card">
        <summary><h2>${words.standings}</h2></summary>
        <ol class="replay-standings">
          ${replay.standings.map(({ rank, name, laurels }) => html`<li key=${name}>${rank}. <b>${name}</b> <span class="soft">${words.laurels(laurels)}</span></li>`)}
        </ol>
      </details>`}
    </section>
  </div>`;
}

/** @param {{ pref: { value: boolean }, label: string, id: string }} props */
function Toggle({ pref, label, id }) {
  return html`<label class="replay-toggle">
    <input type="checkbox" id=${id} checked=${pref.value} onChange=${(/** @type {any} */ event) => (pref.value = event.target.checked)} />
    ${label}
  </label>`;
}
