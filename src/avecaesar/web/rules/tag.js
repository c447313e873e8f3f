/**
 * The number of a clause, which leads to its place in the rules; in a tab of its own, for the race goes on.
 * @module
 */
import { html } from "../lib/html.js";

/** On the page of the rules: a quiet mark. @param {{ id: string, title?: string | undefined }} props */
export function ClauseMark({ id, title }) {
  return html`<a class="rb-tag rb-mark" href=${`#${id}`} title=${title ?? id} aria-label=${id}>§</a>`;
}

/** At the table. @param {{ clause: string, edition: string | undefined }} props */
export function ClauseTag({ clause, edition }) {
  const page = edition ? `/rules/${edition}` : "/rules";
  return html`<a class="clause" href=${`${page}#${clause}`} target="_blank" rel="noopener">${clause}</a>`;
}
