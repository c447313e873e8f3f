/**
 * The searcher's advice, for tables that allow it.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { html } from "../lib/html.js";
import words from "../words/table.js";
import { keyOf } from "./session.js";

/** @param {{ session: Session }} props */
export function AskHint({ session }) {
  if (!session.shown.value?.plan.hints || session.hint.value) return null;
  return html`<button
    class="button quiet"
    id="hint"
    type="button"
    disabled=${session.thinking.value || !session.ready.value}
    onClick=${() => session.askHint()}
  >
    ${session.thinking.value ? words.hintThinking : words.hint}
  </button>`;
}

/** @param {{ session: Session, question: t.QuestionShown }} props */
export function Hinted({ session, question }) {
  const hint = session.hint.value;
  if (!hint) return null;
  return html`<section id="hinted">
    <h3>${words.hintTitle}</h3>
    <ol>
      ${hint.moves.slice(0, 4).map((hinted) => {
        const offer = question.offers.find((one) => keyOf(one.move) === keyOf(hinted.move));
        return html`<li>
          <button
            class="offer"
            type="button"
            disabled=${!offer || !session.ready.value}
            onClick=${() => offer && session.choose(offer, false)}
          >
            <b>${offer?.name ?? hinted.words}</b> <span>${words.hintWorth(hinted.laurels, hinted.error)}</span>
          </button>
        </li>`;
      })}
    </ol>
  </section>`;
}
