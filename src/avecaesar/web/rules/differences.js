/**
 * What stands beside the clauses: where other editions differ, variants, and what a table may choose.
 * @module
 * @import { Difference, Rulebook } from "../lib/types.js"
 */
import { html } from "../lib/html.js";
import { Link } from "../lib/router.js";
import words from "../words/rules.js";
import { ClausePart } from "./clause.js";
import { ClauseMark } from "./tag.js";

/**
 * A row for each rule in which editions part, a column for each edition; on a narrow screen a card for each rule.
 * @param {{ book: Rulebook }} props
 */
export function Differences({ book: { differences, editions, edition } }) {
  return html`<p class="rb-intro">${words.differencesIntro}</p>
    <div class="rb-compare" tabindex="0" role="region" aria-label=${words.chapters["differences"]}>
      <table>
        <thead>
          <tr>
            <td></td>
            ${editions.map(
              ({ name, short }) => html`<th key=${name} scope="col" class=${name === edition ? "is-own" : ""}>
                <${Link} href=${`/rules/${name}#differences`}>${short}<//>
              </th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${differences.map((difference) => html`<${Compared} key=${difference.option} difference=${difference} editions=${editions} edition=${edition} />`)}
        </tbody>
      </table>
    </div>`;
}

/** @param {{ difference: Difference, editions: Rulebook["editions"], edition: string }} props */
function Compared({ difference, editions, edition }) {
  const { meaning, words: own, others } = difference;
  const told = new Map(others.flatMap((other) => other.editions.map((name) => [name, other.words])));
  return html`<tr class="rb-difference">
    <th scope="row">${meaning}</th>
    ${editions.map(({ name, short }) => {
      const kind = name === edition ? "is-own" : told.has(name) ? "is-other" : "is-alike";
      return html`<td key=${name} class=${kind} data-edition=${short}>
        ${kind === "is-alike" ? html`<span aria-hidden="true">=</span><span class="visually-hidden">${own}</span>` : (told.get(name) ?? own)}
      </td>`;
    })}
  </tr>`;
}

/** @param {{ book: Rulebook, known: Map<string, string>, target: string }} props */
export function Variants({ book, known, target }) {
  const { variants, agreed, house_rules: house, scenes } = book;
  return html`<p class="rb-intro">${words.variantsIntro}</p>
    <h3 class="rb-minor">${words.named}</h3>
    <ul class="rb-variants">
      ${variants.map(
        ({ name, meaning, words: told, clause }) => html`<li key=${name}>
          <b>${name}</b> <span>${meaning}: ${told}</span> <${ClauseMark} id=${clause} title=${known.get(clause)} />
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
