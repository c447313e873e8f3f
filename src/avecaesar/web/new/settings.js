/**
 * How it is played: who may join, clocks, who stands in, hints and pace.
 * @module
 * @import { Changed, PartProps } from "./form.js"
 */
import { html } from "../lib/html.js";
import { words } from "../lib/words.js";
import { Check, Choices, Field, Select } from "./form.js";

const CLOCKS = [10, 20, 30, 60, 120, 300, 86_400];
const AWAY = [15, 30, 60, 120, 300, 3600];

/** @param {PartProps} props */
export function SettingsPart({ plan, change }) {
  /** @param {string} value */
  const seconds = (value) => (value === "" ? null : Number(value));
  /** @param {number} time */
  const awayAfter = (time) => words.plan.awayAfter(words.plan.time(time));
  return html`
    <${Choices}
      legend=${words.plan.access}
      value=${plan.open ? "open" : "link"}
      choices=${[
        ["link", words.plan.byLink],
        ["open", words.plan.open],
      ]}
      about=${plan.open ? words.plan.openAbout : words.plan.byLinkAbout}
      onChoose=${(/** @type {string} */ value) => change("manner", { open: value === "open" })}
    />
    <div class="options">
      <${Field} name=${words.plan.clock} about=${words.plan.clockAbout}>
        ${(/** @type {string} */ id, /** @type {string | undefined} */ described) =>
          html`<${Select}
            id=${id}
            described=${described}
            value=${String(plan.clock ?? "")}
            choices=${[["", words.plan.noClock], ...CLOCKS.map((time) => [String(time), words.plan.time(time)])]}
            onChoose=${(/** @type {string} */ value) => change("manner", { clock: seconds(value) })}
          />`}
      <//>
      <${Field} name=${words.plan.away} about=${words.plan.awayAbout}>
        ${(/** @type {string} */ id, /** @type {string | undefined} */ described) =>
          html`<${Select}
            id=${id}
            described=${described}
            value=${String(plan.away ?? "")}
            choices=${[["", words.plan.neverAway], ...AWAY.map((time) => [String(time), awayAfter(time)])]}
            onChoose=${(/** @type {string} */ value) => change("manner", { away: seconds(value) })}
          />`}
      <//>
      <${Field} name=${words.plan.tableTitle}>
        ${(/** @type {string} */ id) =>
          html`<input
            class="input"
            id=${id}
            type="text"
            maxlength="60"
            autocomplete="off"
            placeholder=${words.plan.tableTitlePlaceholder}
            value=${plan.title}
            onInput=${(/** @type {Changed} */ event) => change("manner", { title: event.currentTarget.value })}
          />`}
      <//>
    </div>
    <${Choices}
      legend=${words.plan.pace}
      value=${String(plan.pace)}
      choices=${Object.entries(words.plan.paces)}
      onChoose=${(/** @type {string} */ value) => change("manner", { pace: Number(value) })}
    />
    <div class="checks">
      <${Check}
        name=${words.plan.hints}
        about=${words.plan.hintsAbout}
        checked=${plan.hints}
        onChange=${(/** @type {boolean} */ hints) => change("manner", { hints })}
      />
      <${Check}
        name=${words.plan.memory}
        about=${words.plan.memoryAbout}
        checked=${plan.memory_aid}
        onChange=${(/** @type {boolean} */ aid) => change("manner", { memory_aid: aid })}
      />
    </div>
  `;
}
