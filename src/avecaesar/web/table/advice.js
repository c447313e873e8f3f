/**
 * The searcher's advice, for tables that allow it.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { html } from "../lib/html.js";
import words from "../words/table.js";
import { keyOf } from "./session.js";

const MOST_TOLD = 3; // moves, the best first

/** Where the hint is asked for; afterwards it chooses the best move, and stays where it is. @param {{ session: Session }} props */
export function AskHint({ session }) {
  if (!session.shown.value?.plan.hints) return null;
  const best = offerOf(session, session.hint.value?.moves[0]);
  const ask = () => {
    session.clear(); // what she would do is about all moves
    void session.askHint();
  };
  return html`<button
    class="button quiet"
    aria-label=${best ? `${words.hint}. ${words.hintTitle}: ${best.name}` : undefined}
    title=${best?.name}
    id="hint"
    type="button"
    disabled=${session.thinking.value || !session.ready.value || (session.hint.value && !best)}
    onClick=${() => (best ? session.choose(best, false) : ask())}
  >
    ${best && html`<span class="star" aria-hidden="true">★</span>`}${session.thinking.value ? words.hintThinking : words.hint}
  </button>`;
}

/** @param {Session} session @param {t.HintedMove | undefined} hinted */
const offerOf = (session, hinted) =>
  hinted && session.question.value?.offers.find((one) => keyOf(one.move) === keyOf(hinted.move));

/**
 * What the searcher thinks of a move beside her best one, in words; null where she was not asked.
 * @param {Session} session
 * @param {t.Offer} offer
 */
export function worthOf(session, offer) {
  const moves = session.hint.value?.moves ?? [];
  const at = moves.findIndex((one) => keyOf(one.move) === keyOf(offer.move));
  const found = moves[at];
  return found ? { best: at === 0, words: words.worth[grade(moves, found)] } : null;
}

/**
 * How far a move falls short of the best: within what chance does, a little, or clearly.
 * @param {t.HintedMove[]} moves
 * @param {t.HintedMove} move
 */
function grade(moves, move) {
  const best = moves[0];
  if (!best || move === best) return "best";
  const lost = best.laurels - move.laurels;
  if (lost <= 2 * Math.hypot(best.error, move.error)) return "alike";
  return lost < 1 ? "worse" : "bad";
}

/** All that she has tried. @param {{ session: Session, question: t.QuestionShown }} props */
export function Hinted({ session, question }) {
  const hint = session.hint.value;
  if (!hint) return null;
  return html`<section id="hinted">
    <h3>${words.hintTitle}</h3>
    <ol>
      ${hint.moves.slice(0, MOST_TOLD).map((hinted, i) => {
        const offer = question.offers.find((one) => keyOf(one.move) === keyOf(hinted.move));
        return html`<li>
          <button
            class="offer"
            type="button"
            disabled=${!offer || !session.ready.value}
            onClick=${() => offer && session.choose(offer, false)}
          >
            <b>${i === 0 && html`<span class="star" aria-hidden="true">★</span> `}${offer?.name ?? hinted.words}</b>
            <span>${words.worth[grade(hint.moves, hinted)]}</span>
          </button>
        </li>`;
      })}
    </ol>
  </section>`;
}
