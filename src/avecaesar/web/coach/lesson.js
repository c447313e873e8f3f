/**
 * The coach at a lesson's table: short bubbles, one thought each, beside what they are about. He never holds the game up:
 * whoever plays on has heard enough.
 * He is fetched by `coach.js`.
 *
 * Names that tests and style sheets may rely on: `#coach` (the bubble) with `[data-thought="six 0"]`, `#coach-words`,
 * `#coach-on`, `#coach-show`, `#coach-leave`, `#coach-call`, `#coach-ring`, `#coach-live`; at the end `#coach-real`,
 * `#coach-again` and `#coach-close`.
 * @module
 * @import { Session } from "../table/session.js"
 * @import { About, Thought } from "./lessons.js"
 * @import * as t from "../lib/types.js"
 */
import * as api from "../lib/api.js";
import { html, useEffect, useRef, useSignal, useSignalEffect } from "../lib/html.js";
import { raceNow } from "../lib/plans.js";
import { shortcuts } from "../lib/prefs.js";
import { go } from "../lib/router.js";
import { moment } from "../table/moments.js";
import { keyOf } from "../table/session.js";
import words from "../words/coach.js";
import { Crescens, Leaves } from "./figure.js";
import { AlleyPicture, LanePicture, SixPicture } from "./vignettes.js";
import { thoughts } from "./lessons.js";
import { usePointer } from "./pointer.js";
import { attend, dismiss, forget, learn, progressAt } from "./progress.js";

/** @typedef {{ key: string, list: Thought[] }} Queue  what is still to be said, and when it came up */

const BESIDE = 760; // from this width on the end stands beside the podium, and there is room for what was learned

/** What a pupil should be able to say afterwards, each with its picture. */
const SUMMED = /** @type {[() => any, { title: string, words: string }][]} */ ([
  [AlleyPicture, words.end.alley],
  [SixPicture, words.end.six],
  [LanePicture, words.end.spare],
]);

/** @type {Thought} */
const PAID = { key: "paid", title: words.alley.title, words: words.alley.paid, about: null, lesson: null };

/** @param {{ session: Session, shown: t.TableShown }} props */
export function Lesson({ session, shown }) {
  const looked = useSignal(false); // past the end
  const queue = useQueue(session, shown.table);
  const paid = usePaid(session);
  const progress = progressAt(shown.table);
  useEffect(() => attend(shown.table), [shown.table]);
  useCallKey();

  const over = Boolean(shown.race?.over);
  const thought = paid.value ? PAID : queue.value.list[0];
  const offer = queue.value.key === `${shown.changed}` ? advised(shown.question) : null; // thoughts come first
  const quiet =
    progress.off || session.running.value || shown.paused || (over && (looked.value || moment.value?.kind === "photo"));
  const said = quiet ? "" : over ? words.end.title : (thought?.words ?? (offer ? advice(shown.question, offer) : ""));
  const goOn = () => {
    if (paid.value) return void (paid.value = false);
    if (thought?.lesson) learn(shown.table, thought.lesson);
    queue.value = { ...queue.value, list: queue.value.list.slice(1) };
  };
  const touched = Boolean(thought?.touch && (session.card.value !== null || session.chosen.value));
  useEffect(() => {
    if (touched) goOn(); // he did what he was asked to: no button is needed
  }, [touched]);
  return html`${
      !said
        ? html`<${Chip} table=${shown.table} over=${over} />`
        : over
          ? html`<${End} session=${session} shown=${shown} close=${() => (looked.value = true)} />`
          : thought
            ? html`<${Bubble} table=${shown.table} thought=${thought}>
                ${
                  !thought.touch &&
                  html`<button class="button small primary" id="coach-on" type="button" onClick=${goOn}>${words.goOn}</button>`
                }
              <//>`
            : html`<${Advice} session=${session} table=${shown.table} offer=${offer} />`
    }
    ${!progress.off && !progress.learned.includes("spare") && thought?.title !== words.spare.title && html`<i class="coach-untaught" hidden></i>`}
    <p class="visually-hidden" id="coach-live" aria-live="polite">${said && `${words.name}: ${said}`}</p>`;
}

/** The coach while he says nothing. @param {{ table: string, over: boolean }} props */
function Chip({ table, over }) {
  const { off, learned } = progressAt(table);
  return html`<div class="coach-chip card">
    <${Crescens} />
    <${Leaves} learned=${learned.length} />
    ${
      off &&
      !over &&
      html`<button
        class="button small"
        id="coach-call"
        type="button"
        aria-keyshortcuts="c"
        onClick=${() => dismiss(table, false)}
      >
        ${words.call}
      </button>`
    }
  </div>`;
}

/** The coach's own move among the offers. @param {t.QuestionShown | null} question */
function advised(question) {
  const move = question?.coaching?.advised;
  return (move && question.offers.find((offer) => keyOf(offer.move) === keyOf(move))) ?? null;
}

/** What he would do, and why. @param {t.QuestionShown | null} question @param {t.Offer} offer */
function advice(question, offer) {
  const because = question?.coaching?.because ?? "";
  return offer.to === null ? words.adviceElse(offer.name, because) : words.advice(offer.name, because);
}

/**
 * What is to be said, filled anew with every question.
 * @param {Session} session
 * @param {string} table
 */
function useQueue(session, table) {
  const queue = useSignal(/** @type {Queue} */ ({ key: "", list: [] }));
  const before = useRef(/** @type {number | null} */ (null));
  const warned = useRef(/** @type {string[]} */ ([]));
  useSignalEffect(() => {
    const shown = session.shown.value;
    const question = shown?.question;
    const me = question && shown.race?.chariots[question.chariot];
    const last = queue.peek();
    const key = question ? `${shown.changed}` : "";
    if (!shown || key === last.key) return;
    for (const heard of last.list) if (heard.lesson) learn(table, heard.lesson); // he played on: he has read it
    if (!question || !me) return void (queue.value = { key, list: [] });
    const now = { question, me, index: question.chariot, before: before.current };
    const list = thoughts(now, progressAt(table).learned, warned.current);
    warned.current = [...warned.current, ...list.filter((one) => !one.lesson).map((one) => one.key)];
    before.current = me.to_spare;
    queue.value = { key, list };
  });
  return queue;
}

/**
 * That the pupil has paid, until he plays on.
 * @param {Session} session
 */
function usePaid(session) {
  const paid = useSignal(false);
  useEffect(
    () =>
      session.hear((lines, whole) => {
        const seats = session.shown.peek()?.yours ?? [];
        const own = lines.filter((line) => line.kind === "turn" && line.seat !== null && seats.includes(line.seat));
        if (!whole && own.length) paid.value = own.some((line) => line.paid);
      }),
    [session],
  );
  return paid;
}

/** The key c leads to the coach, and back to him who was sent away. */
function useCallKey() {
  useEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      const at = /** @type {HTMLElement | null} */ (event.target);
      if (event.key !== "c" || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]"))
        return;
      if (!shortcuts.value) return;
      if (at?.closest("input, select, textarea, [contenteditable]")) return;
      const button = document.querySelector("#coach .coach-does .button, #coach-call");
      if (button instanceof HTMLElement) button.focus();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

/** What he would do; what is to be touched next is ringed. @param {{ session: Session, table: string, offer: t.Offer }} props */
function Advice({ session, table, offer }) {
  const chosen = session.chosen.value;
  const on = chosen === offer;
  /** @type {About} */
  const about = on
    ? { confirm: true }
    : chosen
      ? null
      : offer.to === null || offer.card === null
        ? { offer: offer.name }
        : session.card.value === offer.card
          ? { space: offer.to }
          : { card: offer.card };
  const thought = {
    key: "advice",
    title: words.adviceTitle,
    words: advice(session.question.value, offer),
    about,
    lesson: null,
  };
  return html`<${Bubble} table=${table} thought=${thought} docked>
    ${
      !on &&
      html`<button
        class="button small"
        id="coach-show"
        type="button"
        disabled=${!session.ready.value}
        onClick=${() => session.choose(offer, false)}
      >
        ${words.showMe}
      </button>`
    }
  <//>`;
}

/** @param {{ table: string, thought: Thought, docked?: boolean, children?: any }} props */
function Bubble({ table, thought, docked = false, children }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const ring = useRef(/** @type {SVGSVGElement | null} */ (null));
  usePointer(box, ring, thought.about, docked, `${thought.key} ${thought.words}`);
  return html`<svg class="coach-ring" id="coach-ring" ref=${ring} hidden aria-hidden="true">
      <path class="coach-way" />
      <path class="coach-ring-under" />
      <path class="coach-ring-over" />
      <path class="coach-wall-under" />
      <path class="coach-wall" />
    </svg>
    <section
      class=${docked ? "coach-bubble card docked" : "coach-bubble card"}
      id="coach"
      ref=${box}
      data-thought=${thought.key}
      aria-label=${`${words.name}: ${thought.title}`}
      aria-keyshortcuts="c"
    >
      <${Crescens} />
      <div class="coach-said">
        ${!docked && html`<p class="coach-title">${thought.title}</p>`}
        <p id="coach-words">${thought.words}</p>
      </div>
      <div class="coach-does">
        ${!docked && html`<${Leaves} learned=${progressAt(table).learned.length} />`}
        ${children}
      </div>
      <${Leave} table=${table} />
    </section>`;
}

/** @param {{ table: string }} props */
function Leave({ table }) {
  return html`<button
    class="tool coach-leave"
    id="coach-leave"
    type="button"
    aria-label=${words.leave}
    title=${words.leave}
    onClick=${() => dismiss(table, true)}
  >
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 7l10 10M17 7L7 17" /></svg>
  </button>`;
}

/** After the race: what was learned, and a race without him. @param {{ session: Session, shown: t.TableShown, close: () => void }} props */
function End({ session, shown, close }) {
  const busy = useSignal(false);
  const real = async () => {
    busy.value = true;
    try {
      const { table } = await api.lay(raceNow());
      go(`/t/${table}`, { flags: { begin: true } });
    } catch (thrown) {
      busy.value = false;
      session.complain(thrown);
    }
  };
  const again = async () => {
    if (await session.begin()) forget(shown.table);
  };
  return html`<section class="coach-bubble coach-end card" id="coach" data-thought="end" aria-labelledby="coach-words">
      <${Crescens} />
      <div class="coach-said">
        <h2 id="coach-words">${words.end.title}</h2>
        <${Leaves} learned=${progressAt(shown.table).learned.length} />
      </div>
      <details class="coach-learned" open=${innerWidth > BESIDE}>
        <summary>${words.end.learned}</summary>
        <dl class="coach-sum">
          ${SUMMED.map(
            ([Picture, { title, words: said }]) => html`<div>
              <${Picture} />
              <dt>${title}</dt>
              <dd>${said}</dd>
            </div>`,
          )}
        </dl>
      </details>
      <div class="coach-does">
        <button class="button small quiet" id="coach-again" type="button" disabled=${busy.value} onClick=${again}>
          ${words.end.again}
        </button>
        <button class="button small primary" id="coach-real" type="button" disabled=${busy.value} onClick=${real}>
          ${words.end.real}
        </button>
      </div>
      <button
        class="tool coach-leave"
        id="coach-close"
        type="button"
        aria-label=${words.end.close}
        title=${words.end.close}
        onClick=${close}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 7l10 10M17 7L7 17" /></svg>
      </button>
    </section>`;
}
