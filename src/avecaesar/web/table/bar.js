/**
 * The bar above the board: whose turn it is, the clock, pause, and the doors to what is not always in sight.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { html, useEffect, useSignal } from "../lib/html.js";
import { textMode } from "../lib/prefs.js";
import { words as all } from "../lib/words.js";
import words from "../words/table.js";
import { LetFall } from "./curtain.js";

/** @param {{ session: Session, unread: number, openStory: () => void, openHelp: () => void }} props `unread` sayings */
export function Bar({ session, unread, openStory, openHelp }) {
  const shown = session.shown.value;
  if (!shown) return null;
  const yours = session.question.value !== null && !shown.paused;
  return html`<div class=${yours ? "bar yours" : "bar"}>
    <p id="status" role="status">${statusOf(session, shown)}</p>
    <${Clock} session=${session} />
    <p class="where">${whereOf(shown)}</p>
    <div class="bar-tools">
      <${LetFall} session=${session} />
      ${
        shown.phase === "racing" &&
        !shown.closed &&
        session.place.value &&
        html`<button
          class="tool"
          id=${shown.paused ? "resume" : "pause"}
          type="button"
          aria-label=${shown.paused ? words.resume : words.pause}
          title=${shown.paused ? words.resume : words.pause}
          disabled=${session.line.value.state !== "open"}
          onClick=${() => session.command({ do: shown.paused ? "resume" : "pause" })}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">
            ${shown.paused ? html`<path d="M8 5l11 7-11 7z" />` : html`<path d="M8.500 5v14M15.500 5v14" />`}
          </svg>
        </button>`
      }
      <button
        class="tool drawer-only"
        id="open-story"
        type="button"
        aria-label=${unread ? `${words.story}: ${words.unread(unread)}` : words.story}
        title=${words.story}
        onClick=${openStory}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 5h16v11H10l-4 4v-4H4z" /></svg>
        ${unread > 0 && html`<span class="bar-unread" aria-hidden="true">${unread}</span>`}
      </button>
      <button
        class="tool"
        id="text-mode"
        type="button"
        aria-pressed=${textMode.value}
        aria-label=${words.prefs.text}
        title=${words.prefs.text}
        onClick=${() => (textMode.value = !textMode.value)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 6h16M4 10.500h16M4 15h16M4 19.500h9" /></svg>
      </button>
      <button
        class="tool"
        id="help"
        type="button"
        aria-label=${words.settings}
        title=${words.settings}
        onClick=${openHelp}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <circle cx="12" cy="12" r="9" />
          <path d="M9.500 9.500a2.500 2.500 0 1 1 3.600 2.300c-.8.4-1.100.8-1.100 1.700M12 16.500v.4" />
        </svg>
      </button>
    </div>
  </div>`;
}

/** @param {Session} session @param {t.TableShown} shown */
function statusOf(session, shown) {
  const { status } = words;
  const race = shown.race;
  if (session.sending.value) return status.sending;
  if (shown.closed) return status.closed;
  if (shown.phase === "gathering" || !race) return status.gathering;
  if (shown.phase === "podium" || shown.phase === "over")
    return shown.stages.length > 1 ? status[shown.phase] : status.podium;
  if (shown.paused) return status.paused;
  if (shown.question && session.running.value) return status.driving;
  if (shown.question?.asks === "vote") return status.yourVote;
  if (shown.question) {
    const several = shown.yours.length > 1 || shown.hands.length > 1;
    return several ? status.yourTurnAs(race.chariots[shown.question.chariot]?.name ?? "") : status.yourTurn;
  }
  const turn = race.chariots[race.turn ?? -1];
  const name = turn?.name ?? "";
  if (session.running.value && turn && turn.seat !== null && shown.yours.includes(turn.seat)) return status.driving;
  if (race.voted_on !== null) return status.voteOn(race.chariots[race.voted_on]?.name ?? "");
  return shown.curtain !== null ? status.called(name) : status.theirTurn(name);
}

/** Which race, where, and who watches. @param {t.TableShown} shown */
function whereOf(shown) {
  const race = shown.race;
  return [
    !shown.yours.length && words.status.watching,
    race && race.of > 1 && words.raceOf(race.index, race.of),
    race && `${all.shell.course(race.course)}, ${all.shell.directions[race.direction]}`,
    race && !race.over && words.turn(race.turn_number),
    words.watchers(shown.watchers),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The time that is left for this turn. @param {{ session: Session }} props */
function Clock({ session }) {
  const left = useSignal(/** @type {number | null} */ (null));
  const deadline = session.shown.value?.deadline ?? null;
  useEffect(() => {
    if (deadline === null) return void (left.value = null);
    const tick = () => (left.value = Math.max(0, Math.ceil(deadline - Date.now() / 1000 - session.ahead.peek())));
    tick();
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [deadline]);
  if (left.value === null) return null;
  const text = `${Math.floor(left.value / 60)}:${String(left.value % 60).padStart(2, "0")}`;
  return html`<p class=${left.value <= 10 ? "clock hurry" : "clock"} id="clock" role="timer" aria-label=${words.clock}>
    ${text}
  </p>`;
}

/** That the line is lost; controls rest until it is back. @param {{ session: Session }} props */
export function LineBanner({ session }) {
  const { state, retry, farewell } = session.line.value;
  const left = useSignal(0);
  useEffect(() => {
    if (retry === null) return undefined;
    const tick = () => (left.value = Math.max(0, Math.ceil((retry - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [retry]);
  if (state === "open" || state === "ended" || !session.shown.value) return null;
  return html`<div class="banner" id="lost" role="alert">
    ${
      farewell
        ? html`<p class="farewell">${farewell}</p>`
        : html`<p>${words.lost} ${retry !== null && left.value > 0 && words.lostFor(left.value)}</p>`
    }
    <button class="button small" type="button" onClick=${session.socket.again}>${words.tryNow}</button>
  </div>`;
}

/** Somebody asks to take over a seat that was freed in this race. @param {{ session: Session }} props */
export function WishBanner({ session }) {
  const shown = session.shown.value;
  const seat = shown?.seats.find((one) => one.wish?.waits.some((each) => shown.yours.includes(each)));
  if (!shown || !seat?.wish) return null;
  const wish = seat.wish.number;
  const answer = (/** @type {"agree" | "decline"} */ what) => () => session.command({ do: what, seat: seat.seat, wish });
  return html`<div class="banner" id="wish" role="status">
    <p>${words.gathering.wish(seat.wish.name, seat.name)}</p>
    <div class="row">
      <button class="button small primary" type="button" data-do="agree" onClick=${answer("agree")}>${words.gathering.agree}</button>
      <button class="button small" type="button" data-do="decline" onClick=${answer("decline")}>${words.gathering.decline}</button>
    </div>
  </div>`;
}

/** That nobody plays on here, or that the reader does not. @param {{ session: Session }} props */
export function OrderBanner({ session }) {
  const shown = session.shown.value;
  if (!shown || !(shown.closed || shown.banned)) return null;
  return html`<div class="banner order-banner" id="order" role="status">
    <p>${shown.closed ? words.order.closed : words.order.banned}</p>
  </div>`;
}

/** That the race rests. @param {{ session: Session }} props */
export function PauseBanner({ session }) {
  const shown = session.shown.value;
  if (!shown?.paused || shown.closed || shown.phase !== "racing") return null;
  return html`<div class="banner rest" id="paused" role="status">
    <p><b>${words.pausedBy(shown.paused_by)}</b> ${words.pausedWords}</p>
    ${session.place.value && html`<button class="button primary" type="button" onClick=${() => session.command({ do: "resume" })}>${words.resume}</button>`}
  </div>`;
}
