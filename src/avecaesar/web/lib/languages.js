/**
 * The choice of a language: all of them, each by its own name.
 * @module
 */
import { html } from "./html.js";
import { LANGUAGES, language, speak, words } from "./words.js";

/** @import { Language } from "./words.js" */

/** @param {{ id?: string }} props */
export function LanguageSelect({ id }) {
  /** @param {{ currentTarget: HTMLSelectElement }} event */
  const chosen = ({ currentTarget }) => speak(/** @type {Language} */ (currentTarget.value));
  return html`<select id=${id} aria-label=${words.shell.language} value=${language} onChange=${chosen}>
    ${Object.entries(LANGUAGES).map(
      ([code, name]) => html`<option key=${code} value=${code} lang=${code} selected=${code === language}>${name}</option>`,
    )}
  </select>`;
}
