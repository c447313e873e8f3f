/**
 * Edition and house rules, in the menu's words. A value that the edition has itself is no change.
 * @module
 * @import * as t from "../lib/types.js"
 * @import { Changed, PartProps, Section } from "./form.js"
 */
import { html, useState } from "../lib/html.js";
import { words } from "../lib/words.js";
import { Field, Select } from "./form.js";

const LONG = 26; // letters that a closed list surely shows
const LINEUP = "chariots"; // this group stands beside the seats

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {PartProps} props */
export function EditionPart({ menu, plan, change }) {
  return html`<div class="editions" role="radiogroup" aria-label=${words.plan.edition}>
    ${menu.editions.map((edition) => {
      const changes = edition.changes.map((change) => change.words).join("; ");
      return html`<label class="edition" key=${edition.name}>
        <input
          type="radio"
          name="edition"
          checked=${edition.name === plan.edition}
          onChange=${() => change("edition", { edition: edition.name })}
        />
        <span>
          <strong>${edition.short} ${edition.default && html`<span class="tag">${words.plan.isDefault}</span>`}</strong>
          <small>${capital(edition.title)}. ${changes ? words.plan.differs(changes) : words.plan.original}</small>
        </span>
      </label>`;
    })}
  </div>`;
}

/**
 * What an option is in the chosen edition.
 * @param {PartProps} props
 * @param {string} option
 */
function printedIn({ menu, plan }, option) {
  return menu.editions.find((edition) => edition.name === plan.edition)?.rules[option] ?? "";
}

/**
 * The plan's options with one of them changed; a value that the edition has anyway is left out.
 * @param {PartProps} props
 * @param {string} option
 * @param {string} value
 */
function withOption(props, option, value) {
  const { [option]: _old, ...others } = props.plan.options;
  return value === "" || value === printedIn(props, option) ? others : { ...others, [option]: value };
}

/** @param {PartProps} props */
export function HouseRulesPart(props) {
  const { menu, plan, change } = props;
  const groups = [...new Set(menu.options.map((option) => option.group))].filter((group) => group !== LINEUP);
  const changed = Object.keys(plan.options).length;
  return html`
    <p class="soft">${words.plan.houseRulesAbout}</p>
    <fieldset class="field">
      <legend class="name">${words.plan.variants}</legend>
      <div class="variants">
        ${menu.variants.map(({ name, option, value }) => {
          const printed = printedIn(props, option) === value;
          const on = plan.options[option] === value || (printed && !(option in plan.options));
          const offered = menu.options.find((offered) => offered.name === option);
          const about = `${offered?.meaning}: ${wordsOf(offered, value)}`;
          const toggle = () => change("rules", { options: withOption(props, option, on ? "" : value) });
          return html`<button class="variant" type="button" aria-pressed=${on} disabled=${printed && on} onClick=${toggle}>
            <strong>${capital(name)}</strong><small>${about}</small>
          </button>`;
        })}
      </div>
    </fieldset>
    <div class="groups">
      ${groups.map((group) => html`<${Group} ...${props} group=${group} section="rules" key=${group} />`)}
    </div>
    ${changed > 0 &&
    html`<button class="button small reset" type="button" onClick=${() => change("rules", { options: {} })}>
      ${words.plan.resetAll} (${words.plan.changes(changed)})
    </button>`}
  `;
}

/**
 * A group of options, folded up; it says how many of them are changed.
 * @param {PartProps & { group: string, section: Section }} props
 */
export function Group(props) {
  const { menu, plan, group } = props;
  const options = menu.options.filter((option) => option.group === group);
  const changed = options.filter((option) => option.name in plan.options).length;
  const [opened, setOpened] = useState(changed > 0);
  const title = words.plan.groups[/** @type {keyof typeof words.plan.groups} */ (group)] ?? group;
  /** @param {{ currentTarget: HTMLDetailsElement }} event */
  const toggled = (event) => setOpened(event.currentTarget.open);
  return html`<details class="group" open=${opened} onToggle=${toggled}>
    <summary>
      <span>${title}</span> ${changed > 0 && html`<span class="tag hot">${words.plan.changes(changed)}</span>`}
    </summary>
    <div class="options">
      ${options.map((option) => html`<${OptionField} ...${props} option=${option} key=${option.name} />`)}
    </div>
  </details>`;
}

/**
 * An option's value in words.
 * @param {t.OptionOffered | undefined} option
 * @param {string} value
 */
function wordsOf(option, value) {
  return option?.values.find((offered) => offered.value === value)?.words ?? value.replaceAll(",", ", ");
}

/** @param {PartProps & { option: t.OptionOffered, section: Section }} props */
function OptionField(props) {
  const { plan, change, option, section } = props;
  const printed = printedIn(props, option.name);
  const value = plan.options[option.name];
  const changed = value !== undefined;
  /** @param {string} chosen */
  const set = (chosen) => change(section, { options: withOption(props, option.name, chosen) });
  const reset =
    changed &&
    html`<button
      class="button quiet small"
      type="button"
      aria-label=${words.plan.resetOption(option.meaning)}
      onClick=${() => set("")}
    >
      ${words.plan.reset}
    </button>`;
  const choices = option.values.map((offered) => [
    offered.value,
    offered.value === printed ? words.plan.asPrinted(offered.words) : offered.words,
  ]);
  const told = option.values.find((offered) => offered.value === (value ?? printed))?.words ?? "";
  const about = option.hint || (told.length > LONG ? `${capital(told)}.` : "");
  return html`<${Field} name=${capital(option.meaning)} about=${about} class=${changed ? "changed" : ""} after=${reset}>
    ${(/** @type {string} */ id, /** @type {string | undefined} */ described) =>
      option.values.length > 0
        ? html`<${Select}
            id=${id}
            described=${described}
            value=${value ?? printed}
            choices=${choices}
            onChoose=${set}
          />`
        : html`<${Written} id=${id} described=${described} option=${option} value=${value ?? printed} onWrite=${set} />`}
  <//>`;
}

/**
 * A number or a few, written by hand; while somebody writes, what he wrote stays as it is.
 * @param {{ id: string, described: string | undefined, option: t.OptionOffered, value: string,
 *   onWrite: (value: string) => void }} props
 */
function Written({ id, described, option, value, onWrite }) {
  const [draft, setDraft] = useState(/** @type {string | null} */ (null));
  /** @param {Changed} event */
  const write = ({ currentTarget }) => {
    setDraft(currentTarget.value);
    onWrite(currentTarget.value.trim());
  };
  return html`<input
    class="input"
    id=${id}
    aria-describedby=${described}
    type=${option.most === null ? "text" : "number"}
    min=${option.least ?? undefined}
    max=${option.most ?? undefined}
    maxlength="32"
    value=${draft ?? value}
    onInput=${write}
    onBlur=${() => setDraft(null)}
  />`;
}
