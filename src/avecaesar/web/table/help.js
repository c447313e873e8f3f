/**
 * What is played at this table and what its figures mean, preferences, seats, and keys.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { html, useEffect, useRef, useSignal } from "../lib/html.js";
import { LanguageSelect } from "../lib/languages.js";
import { Badge } from "../lib/liveries.js";
import { notify } from "../lib/notices.js";
import {
  confirmMoves,
  motionPace,
  notifications,
  remembered,
  shortcuts,
  sound,
  textMode,
  theme,
} from "../lib/prefs.js";
import { words as all } from "../lib/words.js";
import words from "../words/table.js";
import { Holder } from "./gathering.js";
import { Manage, Order, editionOf, useMenu } from "./seat-actions.js";
import { Fairness } from "./fairness.js";

/** @typedef {"table" | "prefs" | "seats" | "keys"} Tab */

/** What was open last; whoever asks for help for the first time is told what he sees. */
const lastTab = remembered("help", /** @type {Tab} */ ("table"));

/** @param {{ session: Session, first: Tab | null, close: () => void }} props `first`: what to open, or what was open last */
export function Help({ session, first, close }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const tab = useSignal(first ?? lastTab.peek());
  useEffect(() => dialog.current?.showModal(), []);
  const shown = session.shown.value;
  const seats = Boolean(shown && session.place.value && shown.race && !shown.plan.lesson);
  const tabs = /** @type {Tab[]} */ (["table", "prefs", ...(seats ? ["seats"] : []), "keys"]);
  const now = tabs.includes(tab.value) ? tab.value : "table";
  const open = (/** @type {Tab} */ one) => (tab.value = lastTab.value = one);
  const turn = (/** @type {KeyboardEvent} */ event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    open(tabs[(tabs.indexOf(now) + step + tabs.length) % tabs.length] ?? "table");
    document.getElementById(`tab-${tab.value}`)?.focus();
  };
  return html`<dialog class="help card" id="help-dialog" ref=${dialog} onClose=${close} aria-labelledby="help-title">
    <header class="help-bar">
      <h2 id="help-title">${words.settings}</h2>
      <button class="tool help-close" type="button" aria-label=${words.close} onClick=${() => dialog.current?.close()}>×</button>
    </header>
    <div class="help-tabs" role="tablist" aria-labelledby="help-title" onKeyDown=${turn}>
      ${tabs.map(
        (one) =>
          html`<button
            key=${one}
            id=${`tab-${one}`}
            type="button"
            role="tab"
            aria-selected=${one === now}
            aria-controls="help-panel"
            tabindex=${one === now ? 0 : -1}
            onClick=${() => open(one)}
          >
            ${words.prefs.tabs[one]}
          </button>`,
      )}
    </div>
    <div class="help-panel" id="help-panel" role="tabpanel" aria-labelledby=${`tab-${now}`} tabindex="0">
      ${now === "prefs" && html`<${Preferences} />`} ${now === "seats" && html`<${SeatsHeld} session=${session} />`}
      ${now === "table" && shown && html`<${ThisTable} shown=${shown} /><${Order} session=${session} />`} ${now === "keys" && html`<${Keys} />`}
    </div>
    ${
      shown &&
      html`<footer class="help-foot">
        <a class="button" id="all-rules" href=${`/rules/${shown.plan.edition}`} target="_blank" rel="noopener"
          >${words.prefs.allRules}</a
        >
      </footer>`
    }
  </dialog>`;
}

function Preferences() {
  const tell = async (/** @type {boolean} */ wanted) => {
    const allowed = !wanted || ("Notification" in window && (await Notification.requestPermission()) === "granted");
    notifications.value = wanted && allowed;
    if (!allowed) notify(words.prefs.denied, "trouble");
  };
  const { prefs } = words;
  return html`<div class="help-choices">
      <label><span>${all.shell.language}</span><${LanguageSelect} id="pref-language" /></label>
      <${Choice} id="pref-theme" label=${prefs.theme} names=${all.shell.theme} wish=${theme} />
      <${Choice} id="pref-pace" label=${prefs.pace} names=${prefs.paces} wish=${motionPace} />
    </div>
    <${Switch} id="pref-confirm" label=${prefs.confirm} wish=${confirmMoves} />
    <${Switch} id="pref-sound" label=${prefs.sound} wish=${sound} />
    <${Switch} id="pref-notify" label=${prefs.notifications} wish=${notifications} set=${tell} />
    <${Switch} id="pref-text" label=${prefs.text} wish=${textMode} />
    <${Switch} id="pref-shortcuts" label=${prefs.shortcuts} wish=${shortcuts} />`;
}

/** Who holds which seat, and what can be done about those that are the reader's, or the host's to give. @param {{ session: Session }} props */
function SeatsHeld({ session }) {
  const shown = session.shown.value;
  if (!shown) return null;
  const may = shown.seats.filter((seat) => shown.host || shown.yours.includes(seat.seat));
  return html`<p class="soft">${words.seats.about}</p>
    <ul class="help-seats">
      ${may.map(
        (seat) =>
          html`<li key=${seat.seat} class="gathered" data-seat=${seat.seat}>
            <div class="gathered-line">
              <${Badge} colour=${seat.colour} /><span class="call">${seat.name}</span><${Holder} shown=${shown} seat=${seat} />
              ${!seat.taken && !seat.driver && html`<span class="tag hot">${words.gathering.free}</span>`}
            </div>
            <div class="gathered-more"><${Manage} session=${session} seat=${seat} /></div>
          </li>`,
      )}
    </ul>`;
}

/** @param {{ shown: t.TableShown }} props */
function ThisTable({ shown }) {
  const menu = useMenu();
  const clock = shown.plan.clock ? words.gathering.clock(shown.plan.clock) : "";
  return html`<p>${[shown.title, editionOf(menu, shown), clock].filter(Boolean).join(" · ")}</p>
    ${
      shown.house_rules.length > 0 &&
      html`<h3>${words.gathering.houseRules}</h3>
        <ul class="rules">
          ${shown.house_rules.map((rule) => html`<li>${rule}</li>`)}
        </ul>`
    }
    <h3>${words.prefs.figures}</h3>
    <ul class="rules">
      ${figures(shown).map((text) => html`<li>${text}</li>`)}
    </ul>
    ${shown.race && !shown.plan.lesson && html`<${Fairness} shown=${shown} race=${shown.race} />`}`;
}

function Keys() {
  return html`<dl class="keys">
    ${words.prefs.keys.map(
      ([key, what]) =>
        html`<dt><kbd>${key}</kbd></dt>
          <dd>${what}</dd>`,
    )}
  </dl>`;
}

/** What the figures beside the drivers mean. @param {t.TableShown} shown */
function figures(shown) {
  const { place, behind, lap, coin, points, spare, emperor } = words.legend;
  return [place, behind, lap, shown.race?.tribute === "optional" ? emperor : coin, points, spare];
}

/**
 * One of several, side by side.
 * @param {{ id: string, label: string, names: Record<string, string>, wish: { value: string } }} props
 */
function Choice({ id, label, names, wish }) {
  return html`<fieldset id=${id}>
    <legend>${label}</legend>
    <div class="choices">
      ${Object.entries(names).map(
        ([value, name]) =>
          html`<label key=${value}>
            <input type="radio" name=${id} value=${value} checked=${value === wish.value} onChange=${() => (wish.value = value)} />
            ${name}
          </label>`,
      )}
    </div>
  </fieldset>`;
}

/** @param {{ id: string, label: string, wish: { value: boolean }, set?: (on: boolean) => void }} props */
function Switch({ id, label, wish, set }) {
  const turned = (/** @type {Event} */ event) => {
    const on = /** @type {HTMLInputElement} */ (event.target).checked;
    if (set) set(on);
    else wish.value = on;
  };
  return html`<label class="help-switch">
    <span>${label}</span>
    <input type="checkbox" role="switch" id=${id} checked=${wish.value} onChange=${turned} />
  </label>`;
}
