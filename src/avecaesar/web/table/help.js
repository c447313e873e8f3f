/**
 * Preferences, keys, and what is played at this table.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { html, useEffect, useRef } from "../lib/html.js";
import { LanguageSelect } from "../lib/languages.js";
import { notify } from "../lib/notices.js";
import { confirmMoves, motionPace, notifications, shortcuts, sound, textMode, theme } from "../lib/prefs.js";
import { words as all } from "../lib/words.js";
import words from "../words/table.js";
import { editionOf, useMenu } from "./manage.js";
import { Fairness } from "./podium.js";

/** @param {{ session: Session, close: () => void }} props */
export function Help({ session, close }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => dialog.current?.showModal(), []);
  const shown = session.shown.value;
  const menu = useMenu();
  const tell = async (/** @type {boolean} */ wanted) => {
    const allowed = !wanted || ("Notification" in window && (await Notification.requestPermission()) === "granted");
    notifications.value = wanted && allowed;
    if (!allowed) notify(words.prefs.denied, "trouble");
  };
  return html`<dialog class="help card" id="help-dialog" ref=${dialog} onClose=${close} aria-label=${words.settings}>
    ${
      shown &&
      html`<p class="help-rules">
        <a class="button" id="all-rules" href=${`/rules/${shown.plan.edition}`} target="_blank" rel="noopener"
          >${words.prefs.allRules}</a
        >
      </p>`
    }
    <h2>${words.prefs.title}</h2>
    <div class="help-choices">
      <label><span>${all.shell.language}</span><${LanguageSelect} id="pref-language" /></label>
      <${Choice} id="pref-theme" label=${words.prefs.theme} names=${all.shell.theme} wish=${theme} />
      <${Choice} id="pref-pace" label=${words.prefs.pace} names=${words.prefs.paces} wish=${motionPace} />
    </div>
    <${Check}
      id="pref-confirm"
      on=${confirmMoves.value}
      set=${(/** @type {boolean} */ on) => (confirmMoves.value = on)}
      label=${words.prefs.confirm}
    />
    <${Check}
      id="pref-sound"
      on=${sound.value}
      set=${(/** @type {boolean} */ on) => (sound.value = on)}
      label=${words.prefs.sound}
    />
    <${Check} id="pref-notify" on=${notifications.value} set=${tell} label=${words.prefs.notifications} />
    <${Check}
      id="pref-text"
      on=${textMode.value}
      set=${(/** @type {boolean} */ on) => (textMode.value = on)}
      label=${words.prefs.text}
    />
    ${
      shown &&
      html`<h2>${words.prefs.figures}</h2>
        <ul class="rules">
          ${figures(shown).map((text) => html`<li>${text}</li>`)}
        </ul>`
    }
    <h2>${words.prefs.help}</h2>
    <${Check}
      id="pref-shortcuts"
      on=${shortcuts.value}
      set=${(/** @type {boolean} */ on) => (shortcuts.value = on)}
      label=${words.prefs.shortcuts}
    />
    <dl class="keys">
      ${words.prefs.keys.map(
        ([key, what]) =>
          html`<dt><kbd>${key}</kbd></dt>
            <dd>${what}</dd>`,
      )}
    </dl>
    ${
      shown &&
      html`<h2>${words.prefs.rulesTitle}</h2>
        <p>${[shown.title, editionOf(menu, shown)].filter(Boolean).join(" · ")}</p>
        ${
          shown.house_rules.length > 0 &&
          html`<ul class="rules">
            ${shown.house_rules.map((rule) => html`<li>${rule}</li>`)}
          </ul>`
        }`
    }
    ${shown?.race && !shown.plan.lesson && html`<${Fairness} race=${shown.race} sealed=${shown.sealed} />`}
    <button class="button" type="button" onClick=${() => dialog.current?.close()}>${words.close}</button>
  </dialog>`;
}

/** What the figures beside the drivers mean. @param {t.TableShown} shown */
function figures(shown) {
  const { place, behind, lap, coin, points, spare, emperor } = words.legend;
  return [place, behind, lap, shown.race?.tribute === "optional" ? emperor : coin, points, spare];
}

/**
 * One of several.
 * @param {{ id: string, label: string, names: Record<string, string>, wish: { value: string } }} props
 */
function Choice({ id, label, names, wish }) {
  return html`<label
    ><span>${label}</span>
    <select
      id=${id}
      value=${wish.value}
      onChange=${(/** @type {Event} */ event) => (wish.value = /** @type {HTMLSelectElement} */ (event.target).value)}
    >
      ${Object.entries(names).map(([value, name]) => html`<option key=${value} value=${value} selected=${value === wish.value}>${name}</option>`)}
    </select>
  </label>`;
}

/** @param {{ id: string, on: boolean, set: (on: boolean) => void, label: string }} props */
function Check({ id, on, set, label }) {
  return html`<label class="check">
    <input
      type="checkbox"
      id=${id}
      checked=${on}
      onChange=${(/** @type {Event} */ event) => set(/** @type {HTMLInputElement} */ (event.target).checked)}
    />
    <span>${label}</span>
  </label>`;
}
