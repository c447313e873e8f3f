/**
 * The table: the board, the drivers, your hand, the story; before the race the gathering, after it the podium.
 *
 * Names that tests and style sheets may rely on:
 * `.table-page` with `[data-changed]` (the event that the page has got to; `.sending` while a move is on its way),
 * `#board` with spaces `[data-space="17"]` (and `[data-space="home"]`; those that can be reached have the class `target`),
 * `#status`, `#clock`, `#seats` (drivers `[data-chariot="0"]`; in the gathering seats `[data-seat="0"]`),
 * `#question`, `#hand` with cards `[data-card="3"]`, `#offers` with `[data-offer="3 to S5a"]`, `#refusals`, `#confirm`,
 * `#clear`, `#hint`, `#hinted`, decks `[data-deck="fast"]`, piles `[data-pile="0"]`, `#story`, `#notation`,
 * `#chat-input`, phrases `[data-phrase="ave"]`, `#open-story` (phone), `#pause`, `#resume`, `#paused`, `#lost`,
 * `#curtain` with `#lift`, `#fall`, `#begin`, `#invite` and then `#invite-link`, `#sit` with `#sit-name`, `#dress` with
 * `#dress-name`, `[data-vacate="1"]`, `[data-appoint="1"]`, `#podium` with `#places`, `#standings`, `#next`, `#rematch`,
 * `#ready`, `#replay`, `#record`, `#fairness`, `#help`, `#help-dialog` with `#pref-confirm`, `#open-seats` (the same, at
 * the seats), on a phone `#ticker` and `#bubble`, `#live` and `#live-call` (the story and the reader's turn for who
 * listens), `#to-table`, `#to-text`, `#another-seat` with `#another-yes` and `#another-no`; in words the page is
 * `.text-page`, with the same names.
 * @module
 * @import { Tab } from "../table/help.js"
 */
import { Coach } from "../coach/coach.js";
import * as api from "../lib/api.js";
import { html, useEffect, useRef, useSignal } from "../lib/html.js";
import { linked } from "../lib/pledges.js";
import { textMode } from "../lib/prefs.js";
import { Link, takeFlag } from "../lib/router.js";
import { Wheel } from "../lib/wheel.js";
import { words as all } from "../lib/words.js";
import { Podium } from "../podium/podium.js";
import { Bar, LineBanner, OrderBanner, PauseBanner, WishBanner } from "../table/bar.js";
import { Board } from "../table/board.js";
import { useAlerts } from "../table/alerts.js";
import { Curtain } from "../table/curtain.js";
import { DriverList } from "../table/driver-list.js";
import { Gathering, SitDown } from "../table/gathering.js";
import { Help } from "../table/help.js";
import { useKeys } from "../table/keys.js";
import { titleOf } from "../table/seat-actions.js";
import { Dock } from "../table/questions.js";
import { Session } from "../table/session.js";
import { Story } from "../table/story.js";
import { Bubble, useUnread } from "../table/talk.js";
import { LiveCall, LiveStory } from "../text/announcer.js";
import { TextTable } from "../text/text-table.js";
import words from "../words/table.js";
import text from "../words/text.js";

const SEAT_KEY = /^#s_[0-9A-Za-z_-]+$/;
const INVITATION = /^#i_[0-9A-Za-z_-]+$/;

/** What the curtain takes from everybody: all that can be reached, but not the painting, which is large. */
const COVERED =
  ".shell > .skip, .shell > header, .table-page > :not(.arena), .arena > :not(#board), .stage > :not(.painting)";

/** @param {string} hash */
const isToken = (hash) => SEAT_KEY.test(hash) || INVITATION.test(hash);

/** The key in the address, which is taken out of it before anything else. */
function takeToken() {
  const token = location.hash;
  if (!isToken(token)) return "";
  history.replaceState(history.state, "", location.pathname + location.search);
  return token.slice(1);
}

/** Invitations outlive a reload, until a seat is taken. @param {string} table */
const kept = (table) => `avecaesar.invitation.${table}`;

/** @param {{ params: Record<string, string> }} props */
export default function Page({ params }) {
  const table = params["table"] ?? "";
  const token = useRef(/** @type {string | null} */ (null));
  token.current ??= takeToken();
  const session = useSignal(/** @type {Session | null} */ (null));
  const problem = useSignal("");
  const invitation = useSignal(/** @type {string | null} */ (null));
  const asking = useSignal(/** @type {((yes: boolean) => void) | null} */ (null));
  useEffect(() => {
    let wanted = true;
    /** @type {Session | null} */
    let opened = null;
    const sure = async () => {
      const yes = await new Promise((answer) => (asking.value = answer));
      asking.value = null;
      return yes;
    };
    const open = async () => {
      const key = token.current ?? "";
      if (key.startsWith("i_")) sessionStorage.setItem(kept(table), key);
      invitation.value = sessionStorage.getItem(kept(table));
      if (key.startsWith("s_") && (!(await hasPlace(table)) || (await sure()))) {
        await api.sit(table, { token: key });
        linked(table);
      }
      if (!wanted) return;
      opened = new Session(table);
      session.value = opened;
      if (takeFlag("begin")) beginAtOnce(opened);
    };
    open().catch((thrown) => (problem.value = api.sentence(thrown)));
    return () => {
      wanted = false;
      opened?.close();
    };
  }, [table]);
  useEffect(() => {
    const linked = () => void (isToken(location.hash) && location.reload()); // another link, opened in this very tab
    addEventListener("hashchange", linked);
    return () => removeEventListener("hashchange", linked);
  }, []);
  if (problem.value) return html`<${Away} problem=${problem.value} />`;
  if (asking.value) return html`<${AnotherSeat} answer=${asking.value} />`;
  if (!session.value) return null;
  const seated = () => {
    sessionStorage.removeItem(kept(table));
    invitation.value = null;
  };
  return html`<${Table} session=${session.value} invitation=${invitation.value} seated=${seated} />`;
}

/** Whether the reader sits at a table, or is its host. @param {string} table */
async function hasPlace(table) {
  const { table: shown } = await api.table(table);
  return shown.host || shown.yours.length > 0;
}

/**
 * A link to a seat, for who has a place of his own: whoever opens somebody else's is taken for him at that seat.
 * @param {{ answer: (yes: boolean) => void }} props
 */
function AnotherSeat({ answer }) {
  const no = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useEffect(() => no.current?.focus(), []);
  return html`<div class="whole-page" id="another-seat">
    <${Wheel} />
    <h1>${words.another.title}</h1>
    <p>${words.another.words}</p>
    <div class="row">
      <button class="button" id="another-yes" type="button" onClick=${() => answer(true)}>${words.another.yes}</button>
      <button class="button primary" id="another-no" type="button" ref=${no} onClick=${() => answer(false)}>${words.another.no}</button>
    </div>
  </div>`;
}

/** *Race now*: the race begins as soon as the table is there. @param {Session} session */
function beginAtOnce(session) {
  const deaf = session.hear(() => {
    deaf();
    if (session.shown.value?.phase === "gathering") void session.begin();
  });
}

/** @param {{ problem: string, known?: boolean }} props known: the table was seen before */
function Away({ problem, known = false }) {
  return html`<div class="whole-page">
    <${Wheel} />
    <h1>${known ? words.ended : all.shell.nowhereTitle}</h1>
    <p>${problem}</p>
    <${Link} class="button primary" href="/">${words.toLobby}<//>
  </div>`;
}

/** @param {{ session: Session, invitation: string | null, seated: () => void }} props */
function Table({ session, invitation, seated }) {
  const story = useDrawer();
  const help = useSignal(/** @type {Tab | "last" | null} */ (null));
  const talk = useUnread(session, story.open);
  useAlerts(session);
  useKeys(session, {
    help: () => (help.value = "last"),
    talk: () => {
      story.show();
      requestAnimationFrame(() => document.getElementById("chat-input")?.focus());
    },
    text: () => (textMode.value = !textMode.value),
    back: story.hide,
  });
  const shown = session.shown.value;
  const line = session.line.value;
  const covered = Boolean(shown && shown.curtain !== null && !session.running.value && !shown.paused);
  useEffect(() => {
    for (const one of document.querySelectorAll(COVERED)) one.toggleAttribute("inert", covered);
  });
  useEffect(() => () => document.querySelectorAll(COVERED).forEach((one) => one.removeAttribute("inert")), []);
  if (line.state === "ended") return html`<${Away} problem=${line.problem ?? ""} known=${shown !== null} />`;
  if (!shown) return html`<div class="whole-page"><p class="soft">${line.problem ?? words.joining}</p></div>`;
  const free = shown.seats.filter((seat) => !seat.taken && !seat.driver);
  const gathers = shown.phase === "gathering";
  const welcomes = !gathers && !shown.closed && !shown.banned && !shown.yours.length && free.length > 0 && (invitation !== null || shown.plan.open);
  const gathering = gathers && html`<${Gathering} session=${session} invitation=${invitation} seated=${seated} />`;
  const welcome =
    welcomes &&
    html`<div class="dock card"><${SitDown} session=${session} shown=${shown} free=${free} invitation=${invitation} seated=${seated} /></div>`;
  const classes = ["table-page", `phase-${shown.phase}`];
  if (line.state !== "open") classes.push("offline");
  if (session.sending.value) classes.push("sending");
  if (shown.paused) classes.push("resting");
  if (textMode.value) classes.push("text-page");
  return html`<div class=${classes.join(" ")} data-changed=${shown.changed}>
      <${Skips} />
      <${Bar} session=${session} unread=${talk.unread} openStory=${story.show} openHelp=${() => (help.value = "last")} />
      ${
        textMode.value
          ? html`<${TextTable} session=${session} gathering=${gathering} welcome=${welcome} />`
          : html`<h1 class="visually-hidden">${titleOf(shown)}</h1>
              <div class="arena">
                <${LineBanner} session=${session} />
                <${PauseBanner} session=${session} />
                <${OrderBanner} session=${session} />
                <${WishBanner} session=${session} />
                <${Board} session=${session} />
                <${Podium} key=${`${shown.game} ${shown.race?.index}`} session=${session} />
                <${Coach} session=${session} />
                <${Bubble} session=${session} line=${talk.newest} open=${story.show} />
              </div>
              ${gathering || html`<${DriverList} session=${session} manage=${() => (help.value = "seats")} />${welcome || html`<${Dock} session=${session} openStory=${story.show} />`}`}
              <${Story} session=${session} open=${story.open} close=${story.hide} />`
      }
      <${LiveStory} session=${session} />
      <${LiveCall} session=${session} />
    </div>
    <${Curtain} session=${session} />
    ${help.value && html`<${Help} session=${session} first=${help.value === "last" ? null : help.value} close=${() => (help.value = null)} />`}`;
}

/** Seen by who goes through the page by keyboard: past the bar to the question, and the table in words. */
function Skips() {
  const skip = (/** @type {Event} */ event) => {
    event.preventDefault();
    const there = document.querySelector("#question, .gathering, .dock");
    const all = [...(there?.querySelectorAll("button:not([disabled]), a, input, [tabindex]") ?? [])];
    const first = all.find((one) => one.checkVisibility({ visibilityProperty: true }));
    if (first instanceof HTMLElement) first.focus();
  };
  return html`<a class="skip" id="to-table" href="#question" onClick=${skip}>${text.toQuestion}</a>
    <button class="skip" id="to-text" type="button" onClick=${() => (textMode.value = !textMode.value)}>
      ${textMode.value ? text.drawn : text.inWords}
    </button>`;
}

/** The story where there is little room: it opens over the table, and closed it gives the focus back. */
function useDrawer() {
  const open = useSignal(false);
  const opener = useRef(/** @type {Element | null} */ (null));
  const show = () => {
    if (open.peek()) return;
    opener.current = document.activeElement;
    open.value = true;
    requestAnimationFrame(() => {
      const door = document.querySelector(".telling.open .drawer-only");
      if (door instanceof HTMLElement) door.focus(); // it cannot where the story is always in sight
    });
  };
  const hide = () => {
    const was = open.peek();
    open.value = false;
    if (!was) return false;
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    if (opener.current instanceof HTMLElement) opener.current.focus(); // the page itself takes none
    return true;
  };
  return { open: open.value, show, hide };
}
