/**
 * The pieces that the form for a new table is made of.
 * @module
 * @import * as t from "../lib/types.js"
 */
import { html, useState } from "../lib/html.js";

/** @typedef {Required<t.NewTable>} Plan */
/** @typedef {"seats" | "course" | "edition" | "rules" | "manner"} Section */
/** @typedef {(section: Section, patch: Partial<Plan>) => void} Change */
/** @typedef {{ menu: t.Menu, plan: Plan, change: Change }} PartProps */
/** @typedef {{ currentTarget: HTMLInputElement & HTMLSelectElement }} Changed  an event of a control */

/**
 * A part of the form, with what is wrong with it. Folded, it says in a line what was chosen; it opens for a problem.
 * @param {{ title: string, says: string, open?: boolean, problem: string, children?: any }} props
 */
export function Part({ title, says, open = false, problem, children }) {
  const [opened, setOpened] = useState(open);
  const shown = opened || problem !== "";
  /** @param {{ currentTarget: HTMLDetailsElement }} event */
  const toggled = ({ currentTarget }) => setOpened(currentTarget.open);
  return html`<details class="part card" open=${shown} onToggle=${toggled}>
    <summary class="part-head">
      <h2>${title}</h2>
      <span class="part-says">${says}</span>
    </summary>
    <div class="part-body">${children} ${problem && html`<p class="trouble" role="alert">${problem}</p>`}</div>
  </details>`;
}

let fields = 0;

/**
 * A control with its name and, where it helps, a word more.
 * @param {{ name: string, about?: string, children: (id: string, described: string | undefined) => any, class?: string,
 *   after?: any }} props
 */
export function Field({ name, about = "", children, class: more = "", after = null }) {
  const id = useId();
  return html`<div class=${`field ${more}`}>
    <div class="field-name"><label for=${id}>${name}</label>${after}</div>
    ${children(id, about ? `${id}-about` : undefined)} ${about && html`<p class="hint" id=${`${id}-about`}>${about}</p>`}
  </div>`;
}

function useId() {
  const [id] = useState(() => `field-${(fields += 1)}`);
  return id;
}

/**
 * One of a few, side by side.
 * @template {string} T
 * @param {{ legend: string, value: T, choices: [T, string][], onChoose: (value: T) => void, about?: string }} props
 */
export function Choices({ legend, value, choices, onChoose, about = "" }) {
  const name = useId();
  return html`<fieldset class="field">
    <legend class="name">${legend}</legend>
    <div class="choices">
      ${choices.map(
        ([choice, text]) => html`<label key=${choice}>
          <input type="radio" name=${name} checked=${choice === value} onChange=${() => onChoose(choice)} />
          <span>${text}</span>
        </label>`,
      )}
    </div>
    ${about && html`<p class="hint">${about}</p>`}
  </fieldset>`;
}

/**
 * A list to choose from.
 * @param {{ id?: string, label?: string, described?: string | undefined, value: string, choices: [string, string][],
 *   onChoose: (value: string) => void }} props
 */
export function Select({ id, label, described, value, choices, onChoose }) {
  return html`<select
    class="input"
    id=${id}
    aria-label=${label}
    aria-describedby=${described}
    value=${value}
    onChange=${(/** @type {Changed} */ event) => onChoose(event.currentTarget.value)}
  >
    ${choices.map(
      ([choice, text]) => html`<option key=${choice} value=${choice} selected=${choice === value}>${text}</option>`,
    )}
  </select>`;
}

/**
 * Yes or no.
 * @param {{ name: string, about: string, checked: boolean, onChange: (checked: boolean) => void }} props
 */
export function Check({ name, about, checked, onChange }) {
  return html`<label class="check">
    <input
      type="checkbox"
      checked=${checked}
      onChange=${(/** @type {Changed} */ event) => onChange(event.currentTarget.checked)}
    />
    <span><strong>${name}</strong><span class="hint soft">${about}</span></span>
  </label>`;
}
