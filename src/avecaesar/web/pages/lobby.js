/**
 * The lobby: race at once, lay a table, join, watch, resume, replay. It knows no rule; the server fills in what is left
 * out of a plan.
 * @module
 * @import * as t from "../lib/types.js"
 */
import { Crescens } from "../coach/figure.js";
import { Glance } from "../coach/vignettes.js";
import { LESSONS, lastLesson } from "../coach/progress.js";
import * as api from "../lib/api.js";
import { html, useEffect, useRef, useState } from "../lib/html.js";
import { Badge, LIVERIES } from "../lib/liveries.js";
import { notify } from "../lib/notices.js";
import { colourOf, lesson, raceNow, toWatch } from "../lib/plans.js";
import { myColour, myName } from "../lib/prefs.js";
import { go, Link } from "../lib/router.js";
import { FileInput, RECORDS, useUpload } from "../lib/upload.js";
import { Wheel } from "../lib/wheel.js";
import { ago, words } from "../lib/words.js";
import { Hero } from "../lobby/hero.js";
import coach from "../words/coach.js";

const LOOK_AGAIN = 5000;
const MANY = 5;

/** @param {{ params: Record<string, string> }} _props */
export default function Lobby(_props) {
  const { lobby, trouble, again } = useTables();
  const editions = useEditions();
  const [busy, setBusy] = useState("");
  useEffect(() => {
    document.title = words.lobby.title;
  }, []);

  /**
   * Lays a table and goes there; one thing at a time.
   * @param {string} what
   * @param {t.NewTable} plan
   */
  async function begin(what, plan) {
    if (busy) return;
    setBusy(what);
    try {
      const { table } = await api.lay(plan);
      go(`/t/${table}`, { flags: { begin: true } });
    } catch (thrown) {
      setBusy("");
      notify(api.sentence(thrown), "trouble");
    }
  }
  const race = () => begin("race", raceNow());
  const watch = () => begin("watch", toWatch());
  const mine = lobby && sorted(lobby.mine);
  const awaiting = mine?.find((table) => table.your_turn);
  const returns = Boolean(mine?.length); // somebody who has tables looks for them first
  const tables =
    (lobby || !trouble) &&
    html`<div class="tables" key="tables">
      <${Tables}
        title=${words.lobby.mine}
        list=${mine}
        editions=${editions}
        waiting=${!trouble}
        empty=${words.lobby.mineEmpty}
      />
      <${Tables}
        title=${words.lobby.open}
        list=${lobby && lobby.open}
        editions=${editions}
        waiting=${!trouble}
        empty=${words.lobby.openEmpty}
        more=${html`<${Link} class="button small" href="/new?ready=open">${words.lobby.openNew}<//>`}
      />
    </div>`;

  return html`<div class=${returns ? "lobby returning" : "lobby"}>
    <section class="hero" key="hero" aria-labelledby="headline">
      <div class="hero-sky" aria-hidden="true"></div>
      <div class="hero-words">
        <h1 id="headline">${words.lobby.headline}</h1>
        <p class="lead">${words.lobby.lead}</p>
        ${awaiting && html`<${Awaiting} table=${awaiting} />`}
        <${Me} />
        <div class="start">
          <button class=${awaiting ? "button" : "button primary big"} type="button" onClick=${race} disabled=${busy !== ""}>
            ${busy === "race" ? html`<${Wheel} rolling />${words.lobby.laying}` : words.lobby.raceNow}
          </button>
          <p>${words.lobby.raceNowAbout}</p>
        </div>
        <${Learn} lobby=${lobby} busy=${busy} begin=${begin} />
      </div>
      <${Hero} />
    </section>

    ${returns && tables}

    <nav class="gates" key="gates" aria-label=${words.shell.name}>
      <${Link} class="gate card" href="/new">
        <${Sign} path="M0-10a10 10 0 1 0 .01 0zM0-4.5V4.5M-4.5 0H4.5" />
        <span><strong>${words.lobby.newTable}</strong><small>${words.lobby.newTableAbout}</small></span>
      <//>
      <button class="gate card" type="button" onClick=${watch} disabled=${busy !== ""}>
        <${Sign} path="M-10 0Q0-10 10 0 0 10-10 0zM0-3a3 3 0 1 0 .01 0" />
        <span>
          <strong>${words.lobby.watch}</strong>
          <small>${busy === "watch" ? words.lobby.laying : words.lobby.watchAbout}</small>
        </span>
      </button>
      <${Upload} />
    </nav>

    ${trouble && html`<${Trouble} trouble=${trouble} kept=${lobby !== null} again=${again} />`}
    <${Glance} key="glance" />
    ${!returns && tables}
  </div>`;
}

/**
 * My tables, those that wait for me first.
 * @param {t.TableListed[]} tables
 */
function sorted(tables) {
  return [...tables].sort((a, b) => Number(b.your_turn) - Number(a.your_turn) || b.updated - a.updated);
}

/** What a table is called. @param {t.TableListed} table */
const titleOf = (table) =>
  table.title || (table.tournament ? words.lobby.aTournament : words.lobby.raceOn(table.course));

/** The tables there are, asked for again and again while somebody looks. */
function useTables() {
  const [lobby, setLobby] = useState(/** @type {t.Lobby | null} */ (null));
  const [trouble, setTrouble] = useState(/** @type {api.Problem | null} */ (null));
  const ask = useRef(() => {});
  useEffect(() => {
    let left = false;
    /** @type {ReturnType<typeof setTimeout>} */
    let timer;
    const look = async () => {
      clearTimeout(timer);
      try {
        const found = await api.tables();
        if (left) return;
        setLobby(found);
        setTrouble(null);
      } catch (thrown) {
        if (left) return;
        setTrouble(thrown instanceof api.Problem ? thrown : new api.Problem(api.sentence(thrown), 500));
      }
      clearTimeout(timer);
      if (!document.hidden) timer = setTimeout(look, LOOK_AGAIN);
    };
    const seen = () => void (document.hidden || look());
    ask.current = look;
    document.addEventListener("visibilitychange", seen);
    addEventListener("online", seen);
    void look();
    return () => {
      left = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
      removeEventListener("online", seen);
    };
  }, []);
  return { lobby, trouble, again: () => ask.current() };
}

/** What the editions are called. */
function useEditions() {
  const [names, setNames] = useState(/** @type {Map<string, string>} */ (new Map()));
  useEffect(() => {
    api.menu().then(
      ({ editions }) => setNames(new Map(editions.map(({ name, short }) => [name, short]))),
      () => {}, // their names do as well
    );
  }, []);
  return names;
}

// ---------------------------------------------------------------------- parts

/** The way back to where one is waited for. @param {{ table: t.TableListed }} props */
function Awaiting({ table }) {
  return html`<div class="start awaiting">
    <${Link} class="button primary big" id="awaiting" href=${`/t/${table.table}`}>${words.lobby.drive}<//>
    <p>${titleOf(table)} · ${ago(table.updated)}</p>
  </div>`;
}

/** Name and colour of the reader, remembered. */
function Me() {
  /** @param {{ currentTarget: HTMLInputElement }} event */
  const written = (event) => (myName.value = event.currentTarget.value);
  const colours = /** @type {t.Colour[]} */ (Object.keys(LIVERIES));
  const worn = colourOf(myColour.value) ?? colours[0]; // who never chose drives in the first
  return html`<fieldset class="me card">
    <legend class="visually-hidden">${words.lobby.you}</legend>
    <label class="me-name">
      <span>${words.lobby.you}</span>
      <input
        class="input"
        type="text"
        maxlength="24"
        autocomplete="nickname"
        spellcheck="false"
        placeholder=${words.lobby.namePlaceholder}
        aria-label=${words.lobby.name}
        aria-describedby="my-name-hint"
        value=${myName.value}
        onInput=${written}
      />
    </label>
    ${!myName.value.trim() && html`<p class="me-nameless soft" id="my-name-hint">${words.lobby.nameless}</p>`}
    <div class="swatches" role="radiogroup" aria-label=${words.lobby.colour}>
      ${colours.map(
        (colour) => html`<label class="swatch" title=${words.shell.colours[colour]}>
          <input
            type="radio"
            name="my-colour"
            aria-label=${words.shell.colours[colour]}
            checked=${worn === colour}
            onChange=${() => (myColour.value = colour)}
          />
          <${Badge} colour=${colour} />
        </label>`,
      )}
    </div>
  </fieldset>`;
}

/**
 * The door to the first race with a coach, or back to it.
 * @param {{ lobby: t.Lobby | null, busy: string, begin: (what: string, plan: t.NewTable) => void }} props
 */
function Learn({ lobby, busy, begin }) {
  const { table, learned } = lastLesson();
  const begun = lobby?.mine.some((one) => one.table === table && one.phase === "racing");
  return html`<div class="start learning">
    ${
      begun
        ? html`<${Link} class="button learn" id="learn" href=${`/t/${table}`}><${Crescens} />${coach.resume}<//>`
        : html`<button
            class="button learn"
            id="learn"
            type="button"
            disabled=${busy !== ""}
            onClick=${() => begin("lesson", lesson(coach.learn))}
          >
            <${Crescens} />${busy === "lesson" ? words.lobby.laying : coach.learn}
          </button>`
    }
    <p>${begun ? coach.progress(learned.length, LESSONS.length) : coach.learnAbout}</p>
  </div>`;
}

/** @param {{ path: string }} props */
function Sign({ path }) {
  return html`<svg class="coin" viewBox="-14 -14 28 28" aria-hidden="true"><path d=${path} /></svg>`;
}

/** A record from a file, refereed by the server, then shown. */
function Upload() {
  const upload = useUpload(async (text) => go(`/replay/${(await api.record(text)).replay}`));
  const { busy, problem } = upload;
  return html`<div class="gate-of-file">
    <label class="gate card" aria-busy=${busy}>
      <${Sign} path="M-7-10H4L8-6V10H-7zM4-10v4h4M-3 5V-2L4 1.5z" />
      <span>
        <strong>${words.lobby.replay}</strong>
        <small>${busy ? words.lobby.refereeing : words.lobby.replayAbout}</small>
      </span>
      <${FileInput} upload=${upload} accept=${RECORDS} />
    </label>
    ${problem && html`<p class="trouble" role="alert">${problem}</p>`}
  </div>`;
}

/** @param {{ trouble: api.Problem, kept: boolean, again: () => void }} props */
function Trouble({ trouble, kept, again }) {
  return html`<div class="trouble no-line" role="alert">
    <p>
      ${trouble.offline && html`<strong>${words.lobby.offlineTitle}. </strong>`}${trouble.message}
      ${kept && ` ${words.lobby.offlineKept}`}
    </p>
    <button class="button small" type="button" onClick=${again}>${words.shell.tryAgain}</button>
  </div>`;
}

/**
 * @param {{ title: string, list: t.TableListed[] | null, editions: Map<string, string>, waiting: boolean, empty: string,
 *   more?: any }} props
 */
function Tables({ title, list, editions, waiting, empty, more }) {
  const [all, setAll] = useState(false);
  const shown = all ? list : list?.slice(0, MANY);
  const rest = (list?.length ?? 0) - (shown?.length ?? 0);
  return html`<section class="listing" aria-busy=${!list && waiting}>
    <div class="listing-head"><h2>${title}</h2>${list && more}</div>
    ${!list &&
    waiting &&
    html`<p class="visually-hidden">${words.lobby.asking}</p>
      <div class="ghost card"></div>
      <div class="ghost card"></div>`}
    ${list?.length === 0 && html`<p class="empty">${empty}</p>`}
    <ul>
      ${shown?.map(
        (table) => html`<li key=${table.table}>
          <${TableCard} table=${table} edition=${editions.get(table.edition) ?? table.edition} />
        </li>`,
      )}
    </ul>
    ${rest > 0 &&
    html`<button class="button quiet" type="button" onClick=${() => setAll(true)}>${words.lobby.older(rest)}</button>`}
  </section>`;
}

/** @param {{ table: t.TableListed, edition: string }} props */
function TableCard({ table, edition }) {
  const [busy, setBusy] = useState(false);
  const mine = table.yours.length > 0;
  const href = `/t/${table.table}`;
  const what = table.tournament ? words.lobby.tournament : words.lobby.on(table.course);
  const facts = [edition, ...(table.title ? [what] : []), words.lobby.phases[table.phase], ago(table.updated)];

  async function join() {
    setBusy(true);
    const worn = table.seats.some((seat) => seat.colour === myColour.value);
    try {
      await api.sit(table.table, { name: myName.value.trim() || null, colour: worn ? null : colourOf(myColour.value) });
      go(href);
    } catch (thrown) {
      setBusy(false);
      notify(api.sentence(thrown), "trouble");
    }
  }

  return html`<article class=${table.your_turn ? "listed card awaited" : "listed card"}>
    <div class="listed-words">
      <h3>
        <${Link} href=${href}>${titleOf(table)}<//>
        ${table.stopped && html`<span class="tag">${words.lobby.stopped}</span>`}
        ${table.your_turn && html`<span class="tag hot">${words.lobby.yourTurn}</span>`}
        ${!mine && table.free > 0 && html`<span class="tag good">${words.lobby.free(table.free)}</span>`}
      </h3>
      <p class="soft">${facts.join(" · ")}</p>
      <ul class="seated">
        ${table.seats.map(
          (seat) => html`<li class=${seat.taken ? "" : "free"}>
            <${Badge} colour=${seat.colour} /><span>${seat.taken ? seat.name : words.lobby.freeSeat}</span>
          </li>`,
        )}
      </ul>
    </div>
    <div class="listed-doors">
      ${mine
        ? html`<${Link} class=${table.your_turn ? "button primary" : "button"} href=${href}>
            ${table.phase === "over" ? words.lobby.see : table.your_turn ? words.lobby.drive : words.lobby.resume}
          <//>`
        : html`
            ${table.free > 0 &&
            html`<button class="button primary" type="button" disabled=${busy} onClick=${join}>
              ${busy ? words.lobby.joining : words.lobby.join}
            </button>`}
            <${Link} class="button" href=${href}>${words.lobby.watchTable}<//>
          `}
    </div>
  </article>`;
}
