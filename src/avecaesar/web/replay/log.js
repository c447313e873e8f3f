/**
 * What happened, turn by turn, in words and notation; and the list of events. Both lead to their moment.
 * @module
 * @import { Player } from "./player.js"
 */
import { Mark } from "../board/signs.js";
import { html, useLayoutEffect, useMemo, useRef } from "../lib/html.js";
import words from "../words/replay.js";

/** @param {{ player: Player, notation: boolean }} props */
export function RaceLog({ player, notation }) {
  const list = useRef(/** @type {HTMLOListElement | null} */ (null));
  const at = player.at.value;
  const colours = player.scenes[0].all.map((chariot) => chariot.colour);
  const lines = useMemo(
    () =>
      player.scenes.map((scene, number) => {
        const by = scene.by && words.by[scene.by];
        return html`<li key=${number}>
        <button type="button" onClick=${() => player.go(number)}>
          ${scene.mover === undefined ? html`<span class="mark"></span>` : html`<${Mark} colour=${colours[scene.mover]} />`}
          <span class="log-words">
            ${scene.words ?? words.grid}${by && html` <span class="soft">(${by})</span>`}
            ${scene.event && html`<span class="event">${scene.event}</span>`}
            ${number === player.last && html`<span class="event">${player.film.result}</span>`}
          </span>
          ${scene.notation && html`<code>${scene.notation}</code>`}
        </button>
      </li>`;
      }),
    [player],
  );
  useLayoutEffect(() => {
    const here = list.current?.children[at];
    if (!list.current || !(here instanceof HTMLElement)) return;
    for (const old of list.current.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    here.setAttribute("aria-current", "step");
    list.current.scrollTop = here.offsetTop - (list.current.clientHeight - here.offsetHeight) / 2;
  }, [at, lines]);
  return html`<ol class=${notation ? "race-log with-notation" : "race-log"} ref=${list} tabindex="0" aria-label=${words.log}>${lines}</ol>`;
}

/** @param {{ player: Player }} props */
export function Moments({ player }) {
  const colours = player.scenes[0].all.map((chariot) => chariot.colour);
  const at = player.at.value;
  return html`<ul class="moment-list">
    ${player.film.moments.map(
      ({ scene, kind, chariot, words: told }) => html`<li key=${`${scene} ${kind} ${chariot}`}>
        <button type="button" class="button small" aria-pressed=${scene === at} onClick=${() => player.go(scene)}>
          <${Mark} colour=${colours[chariot]} /><span>${told}</span><span class="soft">${scene}</span>
        </button>
      </li>`,
    )}
  </ul>`;
}
