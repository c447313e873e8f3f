/**
 * Preferences, keys, and what is played at this table.
 * @module
 * @import { Session } from "./session.js"
 */
import { html, useEffect, useRef } from "../lib/html.js";
import { notify } from "../lib/notices.js";
import { confirmMoves, notifications, sound } from "../lib/prefs.js";
import { words as all } from "../lib/words.js";
import words from "../words/table.js";
import { Fairness } from "./podium.js";

/** @param {{ session: Session, close: () => void }} props */
export function Help({ session, close }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => dialog.current?.showModal(), []);
  const shown = session.shown.value;
  const tell = async (/** @type {boolean} */ wanted) => {
    const allowed = !wanted || ("Notification" in window && (await Notification.requestPermission()) === "granted");
    notifications.value = wanted && allowed;
    if (!allowed) notify(words.prefs.denied, "trouble");
  };
  return html`<dialog class="help card" id="help-dialog" ref=${dialog} onClose=${close} aria-label=${words.settings}>
    <h2>${words.prefs.title}</h2>
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
    <h2>${words.prefs.help}</h2>
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
        <p>${[shown.title, shown.plan.edition].filter(Boolean).join(" · ")}</p>
        <p><a id="all-rules" href=${`/rules/${shown.plan.edition}`} target="_blank" rel="noopener">${all.shell.rules}</a></p>
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
