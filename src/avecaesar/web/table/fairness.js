/**
 * That nobody can have chosen the cards: what was pledged and opened, and what this browser found when it dealt again.
 * @module
 * @import { Verdict } from "./seal.js"
 * @import * as t from "../lib/types.js"
 */
import * as api from "../lib/api.js";
import { html, useEffect, useSignal } from "../lib/html.js";
import { judged, pledgeOf } from "../lib/pledges.js";
import words from "../words/table.js";
import { judge } from "./seal.js";

/** @typedef {{ found: Verdict | "checking" | "failed", again: () => void }} Check */

/**
 * Checks the cards of a race once it is over; null: there is nothing to check.
 * @param {t.TableShown | null} shown
 * @param {boolean} ready
 * @returns {Check | null}
 */
export function useCheck(shown, ready) {
  const found = useSignal(/** @type {Check["found"]} */ ("checking"));
  const tries = useSignal(0);
  const due = Boolean(ready && shown?.race && isDue(shown, shown.race));
  useEffect(() => {
    if (!due || !shown?.race) return;
    found.value = "checking";
    check(shown, shown.race).then(
      (verdict) => (found.value = verdict),
      () => (found.value = "failed"),
    );
  }, [due, tries.value]);
  return due ? { found: found.value, again: () => (tries.value += 1) } : null;
}

/**
 * Whether there is something to check: also where nothing was opened, or the table is said to be a lesson by now, if
 * this browser was given a pledge.
 * @param {t.TableShown} shown
 * @param {t.RaceShown} race
 */
const isDue = (shown, race) =>
  pledgeOf(shown.table, shown.game, race.index).commitment !== null || Boolean(race.secret && !shown.plan.lesson);

/** @param {t.TableShown} shown @param {t.RaceShown} race */
async function check(shown, race) {
  const [{ sha256 }, record] = await Promise.all([
    import("@noble/hashes/sha2.js"), // only now: most who load the page do not race to the end
    api.opened(shown.table, shown.game).catch(() => null),
  ]);
  const found = judge(sha256, pledgeOf(shown.table, shown.game, race.index), race, shown.seats.length, record);
  if (!record && found.verdict !== "broken") throw new Error("the record cannot be had");
  judged(shown.table, shown.game, race.index);
  return found;
}

/** What came of the check, in a sentence; a lie is loud. @param {{ check: Check | null }} props */
export function Finding({ check }) {
  if (!check) return null;
  const { found, again } = check;
  const { seal } = words;
  if (found === "checking") return html`<p class="finding" id="finding" role="status" data-found="checking">${seal.checking}</p>`;
  if (found === "failed")
    return html`<p class="finding" id="finding" role="status" data-found="failed">
      ${seal.failed} <button class="button small" type="button" onClick=${again}>${seal.again}</button>
    </p>`;
  const { verdict, lies, doubts } = found;
  const wrong = [...lies.map((lie) => seal.lies[lie]), ...doubts.map((doubt) => seal.doubts[doubt])];
  return html`<div
    class=${`finding ${verdict}`}
    id="finding"
    data-found=${verdict}
    role=${verdict === "broken" ? "alert" : "status"}
  >
    <p>${seal.found[verdict]}</p>
    ${
      wrong.length > 0 &&
      html`<ul>
        ${wrong.map((text) => html`<li>${text}</li>`)}
      </ul>`
    }
    ${
      verdict === "broken" &&
      html`<p>${seal.advice}</p>
        <button class="button small" type="button" onClick=${again}>${seal.again}</button>`
    }
  </div>`;
}

/** Seal, secret and shares. @param {{ shown: t.TableShown, race: t.RaceShown, check?: Check | null }} props */
export function Fairness({ shown, race, check = null }) {
  const { podium, seal } = words;
  const verdict = check && typeof check.found === "object" ? check.found : null;
  return html`<details class="fairness" id="fairness">
    <summary>
      ${race.secret ? podium.fairAfter : podium.fairBefore} <code>${race.commitment.slice(0, 12)}…</code>
    </summary>
    <dl>
      <dt>${podium.commitment}</dt>
      <dd><code>${race.commitment}</code></dd>
      ${
        race.secret &&
        html`<dt>${podium.secret}</dt>
          <dd><code>${race.secret}</code></dd>`
      }
      ${
        race.shares.length > 0 &&
        html`<dt>${podium.shares}</dt>
          ${race.shares.map((share, i) => html`<dd><code>${share}</code> ${giverOf(shown, race, i, verdict)}</dd>`)}`
      }
      ${
        shown.sealed &&
        html`<dt>${podium.fairNext}</dt>
          <dd><code>${shown.sealed}</code></dd>`
      }
    </dl>
    ${verdict?.shares.some((one) => one.later) && html`<p class="soft">${seal.laterAbout}</p>`}
    <p class="soft">${podium.check}</p>
  </details>`;
}

/**
 * Whose a share is.
 * @param {t.TableShown} shown
 * @param {t.RaceShown} race
 * @param {number} i
 * @param {Verdict | null} verdict
 */
function giverOf(shown, race, i, verdict) {
  const { seal } = words;
  const seat = shown.seats.find((one) => one.seat === race.shared_by[i]);
  const told = verdict?.shares[i];
  if (told?.mine) return seal.yours;
  if (!seat) return seal.nobodys;
  if (race.shared_left[i]) return told?.later ? seal.laterOfLeft : seal.ofLeft; // the seat may have another name now
  return told?.later ? seal.later(seat.name) : seal.of(seat.name);
}
