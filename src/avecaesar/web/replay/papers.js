/**
 * What a replay is good for elsewhere: a link to the moment, the record to keep, another record to see.
 * @module
 * @import { ReplayShown } from "./reel.js"
 */
import * as api from "../lib/api.js";
import { html, useSignal } from "../lib/html.js";
import { notify } from "../lib/notices.js";
import { Link, go } from "../lib/router.js";
import words from "../words/replay.js";

const LARGEST = 4 * 2 ** 20;

/** @param {{ replay: ReplayShown, race: number, address: () => string }} props race from 0 */
export function Papers({ replay, race, address }) {
  const written = useSignal("");
  const busy = useSignal(false);
  const problem = useSignal("");

  const copy = async () => {
    const link = location.origin + address();
    try {
      await navigator.clipboard.writeText(link);
      written.value = "";
      notify(words.copied);
    } catch {
      written.value = link; // browsers copy for pages on localhost or with TLS only
    }
  };
  /** @param {any} event */
  const upload = async (event) => {
    const file = /** @type {File | undefined} */ (event.target.files[0]);
    event.target.value = "";
    if (!file) return;
    problem.value = file.size > LARGEST ? words.tooLarge : "";
    if (problem.value) return;
    busy.value = true;
    try {
      const { replay: id } = await api.record(await file.text());
      go(`/replay/${encodeURIComponent(id)}`);
    } catch (thrown) {
      problem.value = api.sentence(thrown);
    }
    busy.value = false;
  };

  return html`<div class="papers">
    <div class="row">
      <${Link} class="button small" id="summary" href=${`/race/${encodeURIComponent(replay.replay)}?race=${race + 1}`}>${words.summary}<//>
      <button class="button small" type="button" id="copy" onClick=${copy}>${words.copy}</button>
      <a class="button small" id="download" href=${replay.download} title=${words.downloadAbout} download>${words.download}</a>
      <a class="button small quiet" href=${`${replay.download}?format=text`} title=${words.downloadAbout} download>${words.downloadText}</a>
      <label class=${busy.value ? "button small upload busy" : "button small upload"}>
        ${busy.value ? words.uploading : words.upload}
        <input class="visually-hidden" type="file" id="upload" accept=".json,.txt,application/json,text/plain" disabled=${busy.value} onChange=${upload} />
      </label>
    </div>
    ${written.value &&
    html`<label class="field"><span class="name">${words.copyThis}</span>
      <input class="input" readonly value=${written.value} onFocus=${(/** @type {any} */ event) => event.target.select()} />
    </label>`}
    ${problem.value && html`<p class="trouble" role="alert">${problem.value}</p>`}
  </div>`;
}
