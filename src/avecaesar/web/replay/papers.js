/**
 * What a replay is good for elsewhere: a link to the moment, the record to keep, another record to see.
 * @module
 * @import { ReplayShown } from "../lib/types.js"
 */
import * as api from "../lib/api.js";
import { html, useSignal } from "../lib/html.js";
import { notify } from "../lib/notices.js";
import { go } from "../lib/router.js";
import { FileInput, RECORDS, useUpload } from "../lib/upload.js";
import words from "../words/replay.js";
import { Keeping, shareIfMay } from "./keeping.js";

/** @param {{ replay: ReplayShown, address: () => string }} props */
export function Papers({ replay, address }) {
  const written = useSignal("");
  const upload = useUpload(async (text) => go(`/replay/${encodeURIComponent((await api.record(text)).replay)}`));

  const copy = async () => {
    const link = location.origin + address();
    void shareIfMay(replay.replay);
    try {
      await navigator.clipboard.writeText(link);
      written.value = "";
      notify(words.copied);
    } catch {
      written.value = link; // browsers copy for pages on localhost or with TLS only
    }
  };
  return html`<div class="papers">
    <div class="row">
      <button class="button small" type="button" id="copy" onClick=${copy}>${words.copy}</button>
      <a class="button small" id="download" href=${replay.download} title=${words.downloadAbout} download>${words.download}</a>
      <a class="button small quiet" href=${`${replay.download}?format=text`} title=${words.downloadAbout} download>${words.downloadText}</a>
      <label class="button small file" aria-busy=${upload.busy}>
        ${upload.busy ? words.uploading : words.upload}
        <${FileInput} upload=${upload} accept=${RECORDS} />
      </label>
    </div>
    ${written.value &&
    html`<label class="field"><span class="name">${words.copyThis}</span>
      <input class="input" readonly value=${written.value} onFocus=${(/** @type {any} */ event) => event.target.select()} />
    </label>`}
    ${upload.problem && html`<p class="trouble" role="alert">${upload.problem}</p>`}
    <${Keeping} key=${replay.replay} replay=${replay.replay} />
  </div>`;
}
