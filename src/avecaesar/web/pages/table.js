/**
 * The table: the board, the drivers, your hand, the story; before the race the gathering, after it the podium.
 *
 * Names that tests and style sheets may rely on:
 * `.table-page` with `[data-changed]` (the event that the page has got to), `#board` with spaces `[data-space="17"]`
 * (and `[data-space="home"]`; those that can be reached have the class
 * `target`), `#status`, `#clock`, `#seats` (drivers `[data-chariot="0"]`; in the gathering seats `[data-seat="0"]`),
 * `#question`, `#hand` with cards `[data-card="3"]`, `#offers` with `[data-offer="3 to S5a"]`, `#refusals`, `#confirm`,
 * `#clear`, `#hint`, `#hinted`, decks `[data-deck="fast"]`, piles `[data-pile="0"]`, `#story`, `#notation`,
 * `#chat-input`, phrases `[data-phrase="ave"]`, `#open-story` (phone), `#pause`, `#resume`, `#paused`, `#lost`,
 * `#curtain` with `#lift`, `#fall`, `#begin`, `#invite` and then `#invite-link`, `#sit` with `#sit-name`, `#dress` with
 * `#dress-name`, `[data-vacate="1"]`, `[data-appoint="1"]`, `#podium` with `#places`, `#standings`, `#next`, `#rematch`,
 * `#replay`, `#record`, `#fairness`, `#help`, `#help-dialog` with `#pref-confirm`, `#live` (the story for who listens).
 * @module
 */
import { Coach } from "../coach/coach.js";
import * as api from "../lib/api.js";
import { html, useEffect, useRef, useSignal } from "../lib/html.js";
import { Link, takeFlag } from "../lib/router.js";
import { Bar, LineBanner, PauseBanner } from "../table/bar.js";
import { Board } from "../table/board.js";
import { useCalls } from "../table/calls.js";
import { Curtain } from "../table/curtain.js";
import { Gathering, SitDown } from "../table/gathering.js";
import { Help } from "../table/help.js";
import { useKeys } from "../table/keys.js";
import { Podium } from "../table/podium.js";
import { Dock } from "../table/questions.js";
import { Seats } from "../table/seats.js";
import { Session } from "../table/session.js";
import { LiveStory, Story } from "../table/story.js";
import words from "../words/table.js";

const SEAT_KEY = /^#s_[0-9A-Za-z_-]+$/;
const INVITATION = /^#i_[0-9A-Za-z_-]+$/;

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
  useEffect(() => {
    let wanted = true;
    /** @type {Session | null} */
    let opened = null;
    const open = async () => {
      const key = token.current ?? "";
      if (key.startsWith("i_")) sessionStorage.setItem(kept(table), key);
      invitation.value = sessionStorage.getItem(kept(table));
      if (key.startsWith("s_")) await api.sit(table, { token: key });
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
  if (!session.value) return null;
  const seated = () => {
    sessionStorage.removeItem(kept(table));
    invitation.value = null;
  };
  return html`<${Table} session=${session.value} invitation=${invitation.value} seated=${seated} />`;
}

/** *Race now*: the race begins as soon as the table is there. @param {Session} session */
function beginAtOnce(session) {
  const deaf = session.hear(() => {
    deaf();
    if (session.shown.value?.phase === "gathering") void session.begin();
  });
}

/** @param {{ problem: string }} props */
function Away({ problem }) {
  return html`<div class="whole-page">
    <h1>${words.ended}</h1>
    <p>${problem}</p>
    <${Link} class="button primary" href="/">${words.toLobby}<//>
  </div>`;
}

/** @param {{ session: Session, invitation: string | null, seated: () => void }} props */
function Table({ session, invitation, seated }) {
  const story = useSignal(false);
  const help = useSignal(false);
  useCalls(session);
  useKeys(session, {
    help: () => (help.value = true),
    talk: () => {
      story.value = true;
      requestAnimationFrame(() => document.getElementById("chat-input")?.focus());
    },
    back: () => {
      const open = story.value;
      story.value = false;
      return open;
    },
  });
  const shown = session.shown.value;
  const line = session.line.value;
  if (line.state === "ended") return html`<${Away} problem=${line.problem ?? ""} />`;
  if (!shown) return html`<div class="whole-page"><p class="soft">${line.problem ?? words.joining}</p></div>`;
  const free = shown.seats.filter((seat) => !seat.taken && !seat.driver);
  const welcome =
    shown.phase !== "gathering" && !shown.yours.length && free.length > 0 && (invitation !== null || shown.plan.open);
  return html`<div
    class=${`table-page phase-${shown.phase}${line.state === "open" ? "" : " offline"}`}
    data-changed=${shown.changed}
  >
    <h1 class="visually-hidden">${shown.title || words.unnamed}</h1>
    <${Bar} session=${session} openStory=${() => (story.value = true)} openHelp=${() => (help.value = true)} />
    <div class="arena">
      <${LineBanner} session=${session} />
      <${PauseBanner} session=${session} />
      <${Board} session=${session} />
      <${Podium} key=${`${shown.game} ${shown.race?.index}`} session=${session} />
      <${Coach} session=${session} />
    </div>
    ${
      shown.phase === "gathering"
        ? html`<${Gathering} session=${session} invitation=${invitation} seated=${seated} />`
        : html`<${Seats} session=${session} />
            ${welcome && html`<div class="dock card"><${SitDown} session=${session} shown=${shown} free=${free} invitation=${invitation} seated=${seated} /></div>`}
            ${!welcome && html`<${Dock} session=${session} />`}`
    }
    <${Story} session=${session} open=${story.value} close=${() => (story.value = false)} />
    <${LiveStory} session=${session} />
    <${Curtain} session=${session} />
    ${help.value && html`<${Help} session=${session} close=${() => (help.value = false)} />`}
  </div>`;
}
