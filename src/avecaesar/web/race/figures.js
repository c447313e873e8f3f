/**
 * The figures of a race: the podium in a line, and a row for each chariot.
 * @module
 * @import { Signal } from "@preact/signals"
 * @import { Chronicle, Chronicled } from "../lib/types.js"
 */
import { Shield, Wreath } from "../board/signs.js";
import { html } from "../lib/html.js";
import words from "../words/race.js";
import { ranked } from "./chronicle.js";

/** @param {{ chronicle: Chronicle }} props */
export function Places({ chronicle }) {
  const best = ranked(chronicle).filter(({ place }) => place !== null).slice(0, 3);
  if (!best.length) return null;
  return html`<ol class="race-podium" aria-label=${words.podium}>
    ${best.map(
      ({ name, colour, laurels }, i) =>
        html`<li key=${name} class=${i === 0 ? "first" : ""}>
          <svg class="race-shield" viewBox="-20 -20 40 40" aria-hidden="true">
            <${Shield} colour=${colour} />
            ${i === 0 && html`<${Wreath} radius=${14} />`}
          </svg>
          <span class="race-name"><b>${words.roman[i]}</b> ${name}</span>
          <span class="soft">${words.laurels(laurels)}</span>
        </li>`,
    )}
  </ol>`;
}

/** @param {{ chronicle: Chronicle, chosen: Signal<number | null> }} props */
export function Figures({ chronicle, chosen }) {
  const { chariots } = chronicle;
  return html`<section class="race-figures card">
    <h2>${words.figures}</h2>
    <p class="soft">${words.figuresAbout}</p>
    <div class="race-table" tabindex="0" role="region" aria-label=${words.figures}>
      <table>
        <thead>
          <tr>
            <th scope="col">${words.chariot}</th>
            <th scope="col">${words.came}</th>
            <th scope="col">${words.laurelsWon}</th>
            <th scope="col">${words.missed}</th>
            <th scope="col">${words.wasted}</th>
            <th scope="col">${words.barred}</th>
            <th scope="col">${words.paid}</th>
            <th scope="col">${words.led}</th>
          </tr>
        </thead>
        <tbody>
          ${ranked(chronicle).map((one) => html`<${Row} key=${one.name} one=${one} i=${chariots.indexOf(one)} chosen=${chosen} />`)}
        </tbody>
      </table>
    </div>
    <p class="soft race-laurels">${words.laurelsAbout}</p>
  </section>`;
}

/** @param {{ one: Chronicled, i: number, chosen: Signal<number | null> }} props */
function Row({ one, i, chosen }) {
  const pressed = chosen.value === i;
  return html`<tr class=${pressed ? "chosen" : ""} data-chariot=${i}>
    <th scope="row">
      <button type="button" aria-pressed=${pressed} onClick=${() => (chosen.value = pressed ? null : i)}>
        <svg class="race-shield" viewBox="-13 -13 26 26" aria-hidden="true"><${Shield} colour=${one.colour} /></svg>
        <span>${one.name}</span>
      </button>
    </th>
    <td data-label=${words.came}>${fate(one)}</td>
    <td data-label=${words.laurelsWon}><b>${one.laurels}</b></td>
    <td data-label=${words.missed}>${one.missed.length}</td>
    <td data-label=${words.wasted}>${one.wasted}</td>
    <td data-label=${words.barred}>${one.barred.length}</td>
    <td data-label=${words.paid}>${one.paid === null ? words.never : words.onTurn(one.paid)}</td>
    <td data-label=${words.led}>${one.led}</td>
  </tr>`;
}

/** @param {Chronicled} one */
function fate({ disqualified, status, place }) {
  if (disqualified) return words.fates["disqualified"];
  return place !== null ? words.ordinals[place - 1] : words.fates[status];
}
