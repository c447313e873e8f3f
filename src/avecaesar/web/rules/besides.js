/**
 * What stands beside the clauses: where other editions differ, variants, and what a table may choose.
 * @module
 * @import { Difference, Rulebook } from "./shapes.js"
 */
import { html } from "../lib/html.js";
import { Link } from "../lib/router.js";
import words from "../words/rules.js";
import { ClausePart } from "./clause.js";

/** @param {string[]} editions */
const named = (editions) => editions.map((name) => words.names[name] ?? name).join(", ");

/** @param {{ differences: Difference[], edition: string }} props */
export function Differences({ differences, edition }) {
  return html`<p class="rb-intro">${words.differencesIntro}</p>
    <div class="rb-compare">
      ${differences.map(
        ({ option, meaning, words: own, alike, others }) => html`<section class="rb-difference" key=${option}>
          <h3>${meaning}</h3>
          <ul>
            <li class="is-own">
              <b>${words.names[edition] ?? edition}</b>
              <span>${own}${alike.length > 0 && html` <small>(${words.alsoIn(named(alike))})</small>`}</span>
            </li>
            ${others.map((other) => html`<li key=${other.words}><b>${named(other.editions)}</b> <span>${other.words}</span></li>`)}
          </ul>
        </section>`,
      )}
    </div>`;
}

/** @param {{ book: Rulebook, known: Set<string>, target: string }} props */
export function Variants({ book, known, target }) {
  const { variants, agreed, house_rules: house, scenes } = book;
  return html`<p class="rb-intro">${words.variantsIntro}</p>
    <h3 class="rb-minor">${words.named}</h3>
    <ul class="rb-variants">
      ${variants.map(
        ({ name, meaning, words: told, clause }) => html`<li key=${name}>
          <b>${name}</b> <span>${meaning}: ${told}</span> <a class="rb-tag" href=${`#${clause}`}>${clause}</a>
        </li>`,
      )}
    </ul>
    ${agreed.length > 0 && html`<h3 class="rb-minor">${words.agreed}</h3>`}
    ${agreed.map(
      (clause) => html`<${ClausePart}
        key=${clause.id}
        clause=${clause}
        scene=${scenes.find((scene) => scene.clause === clause.id)}
        known=${known}
        target=${target === clause.id}
      />`,
    )}
    <details class="rb-house">
      <summary>${words.house}</summary>
      <dl>
        ${house.map(
          ({ option, meaning, values }) => html`<div key=${option}>
            <dt>${meaning}</dt>
            ${values.map((value, i) => html`<dd key=${value} class=${i === 0 ? "is-own" : ""}>${value}${i === 0 && html` <small>(${words.thisEdition})</small>`}</dd>`)}
          </div>`,
        )}
      </dl>
    </details>
    <p><${Link} class="button" href="/new">${words.newTable}<//></p>`;
}
