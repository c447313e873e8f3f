/**
 * A clause on the page: its title, its words, what holds in this edition, and its little race.
 * @module
 * @import { ClauseShown, LittleRace } from "../lib/types.js"
 */
import { html } from "../lib/html.js";
import words from "../words/rules.js";
import { Little } from "./little-race.js";
import { ClauseMark } from "./tag.js";

const NUMBERED = /( ?\([A-Z]{3,4}-\d{1,2}\)|\b[A-Z]{3,4}-\d{1,2}\b)/;

/**
 * Words in which clauses that are on the page are linked to: by a mark where their number stands in brackets, by their
 * title where it is part of the sentence.
 * @param {{ text: string, known: Map<string, string> }} props
 */
export function Linked({ text, known }) {
  return text.split(NUMBERED).map((part) => {
    const id = part.replace(/[ ()]/g, "");
    const title = known.get(id);
    if (title === undefined) return part;
    return part === id
      ? html`<a class="rb-ref" href=${`#${id}`} title=${id}>${title}</a>`
      : html`<${ClauseMark} id=${id} title=${title} />`;
  });
}

/** @param {{ clause: ClauseShown, scene: LittleRace | undefined, known: Map<string, string>, target: boolean }} props */
export function ClausePart({ clause, scene, known, target }) {
  const { id, title, text, here } = clause;
  return html`<section class=${target ? "rb-clause is-target" : "rb-clause"} id=${id} tabindex="-1" aria-labelledby=${`title-${id}`}>
    <div class="rb-words">
      <h3 id=${`title-${id}`}>${title}</h3>
      <a class="rb-tag rb-own" href=${`#${id}`} title=${words.linkTo(id)} aria-label=${words.linkTo(id)}>${id}</a>
      <p><${Linked} text=${text} known=${known} /></p>
      ${
        here.length > 0 &&
        html`<dl class="rb-here" aria-label=${words.here}>
          ${here.map(
            (one) => html`<div key=${one.option}>
              <dt>${one.meaning}</dt>
              <dd>${one.words}</dd>
            </div>`,
          )}
        </dl>`
      }
    </div>
    ${scene && html`<${Little} race=${scene} />`}
  </section>`;
}
