/**
 * What the server keeps of its visitors, for how long, and the way to be forgotten.
 * @module
 */
import * as api from "../lib/api.js";
import { html, useEffect, useSignal } from "../lib/html.js";
import { muted } from "../lib/muted.js";
import { notify } from "../lib/notices.js";
import { forgetAll, forgetNamed } from "../lib/pledges.js";
import { myName } from "../lib/prefs.js";
import { Sure } from "../lib/sure.js";
import words from "../words/privacy.js";

/** @param {{ params: Record<string, string> }} _props */
export default function Privacy(_props) {
  const days = useSignal(/** @type {number | null | undefined} */ (undefined));
  useEffect(() => {
    document.title = words.pageTitle;
    api.keeping().then(
      (answer) => (days.value = answer.days),
      (thrown) => notify(api.sentence(thrown), "trouble"),
    );
  }, []);
  return html`<article class="privacy card">
    <h1>${words.title}</h1>
    <p class="lead">${words.lead}</p>
    <h2>${words.keptTitle}</h2>
    <ul>
      ${words.kept.map((each) => html`<li>${each}</li>`)}
    </ul>
    <h2>${words.longTitle}</h2>
    <p id="keeping">${days.value === undefined ? "…" : days.value === null ? words.forever : words.days(days.value)}</p>
    <h2>${words.deviceTitle}</h2>
    <p>${words.device}</p>
    <${ForgetMe} />
  </article>`;
}

function ForgetMe() {
  const busy = useSignal(false);
  const told = useSignal("");
  const forget = async () => {
    busy.value = true;
    told.value = words.busy;
    try {
      told.value = words.done((await api.forget()).tables);
      myName.value = "";
      muted.value = {};
      forgetAll();
      forgetNamed(() => sessionStorage, "avecaesar.invitation.");
    } catch (thrown) {
      told.value = api.sentence(thrown);
    }
    busy.value = false;
  };
  return html`<section class="forget" aria-labelledby="forget-title">
    <h2 id="forget-title">${words.forgetTitle}</h2>
    ${words.forgetAbout.map((each) => html`<p>${each}</p>`)}
    <${Sure} id="forget" label=${words.forget} sure=${words.sure} yes=${words.yes} no=${words.no} act=${forget} disabled=${busy.value} />
    <p class="forget-told" role="status">${told.value}</p>
  </section>`;
}
