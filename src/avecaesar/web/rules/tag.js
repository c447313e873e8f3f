/**
 * The number of a clause, which leads to its place in the rules; in a tab of its own, for the race goes on.
 * @module
 */
import { html } from "../lib/html.js";

/** @param {{ clause: string, edition: string | undefined }} props */
export function ClauseTag({ clause, edition }) {
  const page = edition ? `/rules/${edition}` : "/rules";
  return html`<a class="clause" href=${`${page}#${clause}`} target="_blank" rel="noopener">${clause}</a>`;
}
