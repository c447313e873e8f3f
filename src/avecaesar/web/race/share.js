/**
 * What a race is shared by: its link, and the server's poster as a drawing or painted as a picture.
 * @module
 */
import { Problem, sentence } from "../lib/api.js";
import { html, useSignal } from "../lib/html.js";
import { notify } from "../lib/notices.js";
import { Link } from "../lib/router.js";
import { language, words as all } from "../lib/words.js";
import { Keeping, shareIfMay } from "../replay/keeping.js";
import words from "../words/race.js";

const SCALE = 2; // pixels of the picture by those of the drawing

/** @param {{ replay: string, race: number, headline: string }} props race from 0 */
export function Share({ replay, race, headline }) {
  const written = useSignal("");
  const [table, game] = replay.split("."); // an upload has no table
  const canShare = "share" in navigator;
  const busy = useSignal("");
  const link = `${location.origin}/race/${encodeURIComponent(replay)}?race=${race + 1}`;
  const name = `ave-caesar-${replay.replace(/[^0-9A-Za-z]+/g, "-").slice(0, 24)}-${race + 1}`;

  const copy = async () => {
    try {
      void shareIfMay(replay);
      await navigator.clipboard.writeText(link);
      written.value = "";
      notify(words.copied);
    } catch {
      written.value = link; // browsers copy for pages on localhost or with TLS only
    }
  };
  /** Does something that takes a moment, and says what went wrong. @param {string} what @param {() => Promise<void>} work */
  const doing = async (what, work) => {
    busy.value = what;
    try {
      await work();
    } catch (thrown) {
      if (!(thrown instanceof DOMException && thrown.name === "AbortError")) notify(sentence(thrown), "trouble");
    }
    busy.value = "";
  };
  const share = () =>
    doing("share", async () => {
      const file = new File([await painted(await drawing(replay, race))], `${name}.png`, { type: "image/png" });
      const files = navigator.canShare?.({ files: [file] }) ? { files: [file] } : {};
      await navigator.share({ title: headline, url: link, ...files });
      void shareIfMay(replay);
    });
  const png = () => doing("png", async () => save(await painted(await drawing(replay, race)), `${name}.png`));
  const svg = () =>
    doing("svg", async () => save(new Blob([await drawing(replay, race)], { type: "image/svg+xml" }), `${name}.svg`));

  return html`<section class="race-share">
    <div class="row race-does">
      <button class="button primary" type="button" id="png" disabled=${busy.value} onClick=${png}>${words.png}</button>
      ${
        canShare
          ? html`<button class="button" type="button" id="share" disabled=${busy.value} onClick=${share}>${words.share}</button>`
          : html`<button class="button" type="button" id="copy" onClick=${copy}>${words.copy}</button>`
      }
      <${Link} class="button" id="replay" href=${`/replay/${encodeURIComponent(replay)}?race=${race + 1}`}>${words.replay}<//>
    </div>
    <div class="row race-quiet">
      ${canShare && html`<button class="button quiet" type="button" id="copy" onClick=${copy}>${words.copy}</button>`}
      <button class="button quiet" type="button" id="svg" disabled=${busy.value} onClick=${svg}>${words.svg}</button>
      ${game && html`<${Link} class="button quiet" id="table" href=${`/t/${table}`}>${words.toTable}<//>`}
    </div>
    ${
      written.value &&
      html`<label class="field"><span class="name">${words.copyThis}</span>
        <input class="input" readonly value=${written.value} onFocus=${(/** @type {any} */ event) => event.target.select()} />
      </label>`
    }
    <${Keeping} key=${replay} replay=${replay} />
  </section>`;
}

/** The poster as the server draws it. @param {string} replay @param {number} race */
async function drawing(replay, race) {
  const path = `/api/replays/${encodeURIComponent(replay)}/races/${race}/poster.svg`;
  const answer = await fetch(path, { headers: { "Accept-Language": language } }).catch(() => null);
  if (!answer?.ok) throw new Problem(answer ? all.shell.answered(answer.status) : all.shell.unreachable);
  return answer.text();
}

/**
 * A drawing painted on a canvas. It comes as a data address, which the page's content security policy allows.
 * @param {string} svg
 * @returns {Promise<Blob>}
 */
async function painted(svg) {
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  try {
    await picture.decode();
  } catch {
    throw new Problem(words.pngFailed);
  }
  const canvas = document.createElement("canvas");
  canvas.width = picture.naturalWidth * SCALE;
  canvas.height = picture.naturalHeight * SCALE;
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  /** @type {Blob | null} */
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Problem(words.pngFailed);
  return blob;
}

/** Hands a file to the browser's downloads. @param {Blob} file @param {string} name */
function save(file, name) {
  const address = URL.createObjectURL(file);
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // some browsers read it a while later
}
