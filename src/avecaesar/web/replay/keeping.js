/**
 * How long a replay is kept, and whether somebody shares it; whoever sat at its table can say so.
 * @module
 * @import * as t from "../lib/types.js"
 */
import * as api from "../lib/api.js";
import { html, useEffect, useSignal } from "../lib/html.js";
import { notify } from "../lib/notices.js";
import { Link } from "../lib/router.js";
import { date } from "../lib/words.js";
import words from "../words/privacy.js";

/** An upload is of no table of ours, and no rule ends it. @param {string} replay */
const hasTable = (replay) => replay.includes(".");

/** Shares a replay, if it is the reader's to share; whoever only passes the link on keeps nothing. @param {string} replay */
export async function shareIfMay(replay) {
  if (!hasTable(replay)) return;
  const told = await api.sharing(replay).catch(() => null);
  if (!told?.may || told.yours) return;
  await api.share(replay, true).catch(() => null);
  changed.dispatchEvent(new Event("shared"));
}

const changed = new EventTarget();

/** @param {{ replay: string, may?: boolean }} props `may`: with the button to share it, or no longer */
export function Keeping({ replay, may = true }) {
  const told = useSignal(/** @type {t.Sharing | null} */ (null));
  useEffect(() => {
    if (!hasTable(replay)) return undefined;
    const look = () => void api.sharing(replay).then((answer) => (told.value = answer), () => undefined);
    look();
    changed.addEventListener("shared", look);
    return () => changed.removeEventListener("shared", look);
  }, [replay]);
  const share = async (/** @type {boolean} */ on) => {
    try {
      told.value = await api.share(replay, on);
    } catch (thrown) {
      notify(api.sentence(thrown), "trouble");
    }
  };
  if (!told.value) return null;
  const { until, shared, yours } = told.value;
  const how = yours ? words.sharedByYou : shared ? words.shared : until === null ? words.good : words.until(date(until));
  return html`<p class="keeping soft" id="keeping">
    <span role="status">${how}</span>
    ${
      may &&
      (yours || (told.value.may && until !== null)) &&
      html`<button class="button small quiet" id=${yours ? "unshare" : "keep"} type="button" onClick=${() => share(!yours)}>
        ${yours ? words.stop : words.share}
      </button>`
    }
    <${Link} href="/privacy">${words.title}<//>
  </p>`;
}
