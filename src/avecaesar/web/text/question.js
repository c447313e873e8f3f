/**
 * What the reader is asked, in words: what he holds, every offer as a button, and why the rest cannot be done.
 * @module
 * @import { Session } from "../table/session.js"
 * @import * as t from "../lib/types.js"
 */
import { html, useEffect, useRef } from "../lib/html.js";
import { confirmMoves } from "../lib/prefs.js";
import { ClauseTag } from "../rules/tag.js";
import { AskHint, Hinted } from "../table/advice.js";
import { deed } from "../table/questions.js";
import { askedOf, keyOf } from "../table/session.js";
import { Sorting } from "../table/sorting.js";
import words from "../words/table.js";
import text from "../words/text.js";
import { counted, holds, listed } from "./lists.js";

/** @param {{ session: Session }} props */
export function Question({ session }) {
  const title = useRef(/** @type {HTMLElement | null} */ (null));
  const [shown, question] = [session.shown.value, session.question.value];
  const asked = question ? askedOf(shown) : "";
  useEffect(() => {
    // The button that was pressed last is gone: reading goes on at the next question.
    if (asked && document.activeElement === document.body) title.current?.focus({ preventScroll: true });
  }, [asked]);
  if (!shown?.race || shown.race.over) return null;
  return html`<section class=${question ? "text-part called" : "text-part"} id="question" aria-labelledby="text-asked">
    <h2 id="text-asked" tabindex="-1" ref=${title}>${question ? question.title : waiting(shown)}</h2>
    <${Holdings} shown=${shown} />
    ${
      question &&
      (question.asks === "sort"
        ? html`<${Sorting} key=${asked} session=${session} question=${question} />`
        : html`${question.warning && html`<p class="dock-warning">${question.warning}</p>`}
            <${Offers} session=${session} question=${question} />
            <${Refused} question=${question} edition=${shown.plan.edition} />`)
    }
    ${question && html`<${Hinted} session=${session} question=${question} />`}
  </section>`;
}

/** @param {t.TableShown} shown */
function waiting(shown) {
  const race = shown.race;
  if (shown.paused) return words.status.paused;
  return words.status.theirTurn(race?.chariots[race.turn ?? -1]?.name ?? "");
}

/** What the reader has: cards, what is left to draw, piles, and how he stands. @param {{ shown: t.TableShown }} props */
function Holdings({ shown }) {
  if (!shown.yours.length) return html`<p>${words.watching}</p>`;
  return html`<div id="hand">
    ${shown.hands.map((hand) => {
      const chariot = shown.race?.chariots[hand.chariot];
      const piles = (chariot?.piles ?? []).map((size, pile) => {
        const held = hand.piles[pile] && counted(hand.piles[pile]);
        const laid = chariot?.laid === pile ? `, ${words.pile.laid}` : "";
        return text.pile(words.roman[pile] ?? "", `${size ? held || words.pile.size(size) : words.pile.empty}${laid}`);
      });
      const told = [
        hand.standing && `${hand.standing}.`,
        piles.length
          ? text.piles(piles.join("; "))
          : hand.undrawn.some(Boolean)
            ? text.drawLeft(counted(hand.undrawn))
            : text.drawNone,
        hand.bottom.length > 0 && text.under(listed(hand.bottom)),
      ];
      return html`<p key=${hand.chariot}><b>${holds(shown, hand)}</b> ${told.filter(Boolean).join(" ")}</p>`;
    })}
  </div>`;
}

/** @param {{ question: t.QuestionShown, edition: string }} props */
function Refused({ question, edition }) {
  if (!question.refused.length) return null;
  return html`<h3>${text.refusedTitle}</h3>
    <ul id="refusals" class="text-refused">
      ${question.refused.map(
        (one) =>
          html`<li key=${one.card}>
            ${text.refused(one.card, one.words)} ${one.clause && html`<${ClauseTag} clause=${one.clause} edition=${edition} />`}
          </li>`,
      )}
    </ul>`;
}

/** @param {{ session: Session, question: t.QuestionShown }} props */
function Offers({ session, question }) {
  const confirm = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const chosen = session.chosen.value;
  const key = chosen && keyOf(chosen.move);
  useEffect(() => {
    const at = document.activeElement;
    if (key && (at === document.body || at?.closest("#offers, #hinted"))) confirm.current?.focus();
  }, [key]);
  return html`<h3>${text.offersTitle}</h3>
    ${confirmMoves.value && html`<p class="soft">${text.choose(question.offers.length)}</p>`}
    <ol id="offers" class="text-offers">
      ${question.offers.map(
        (offer) =>
          html`<li key=${keyOf(offer.move)}>
            <${Offer} session=${session} offer=${offer} on=${key === keyOf(offer.move)} />
          </li>`,
      )}
    </ol>
    <div class="text-confirming">
      <button
        class="button primary"
        id="confirm"
        ref=${confirm}
        type="button"
        disabled=${!chosen || !session.ready.value}
        onClick=${() => session.play()}
      >
        ${
          session.sending.value
            ? words.status.sending
            : chosen
              ? deed(chosen)
              : words.chooseOne
        }
      </button>
      <button class="button quiet" id="clear" type="button" disabled=${!chosen} onClick=${() => session.clear()}>
        ${words.cancel}
      </button>
      <${AskHint} session=${session} />
    </div>`;
}

/** One offer, as a button that says all of it. @param {{ session: Session, offer: t.Offer, on: boolean }} props */
function Offer({ session, offer, on }) {
  const { move } = offer;
  return html`<button
    class=${`offer text-offer${on ? " chosen" : ""}${offer.risk === "stranded" || offer.disqualifies ? " bad" : ""}`}
    type="button"
    data-offer=${offer.name}
    data-deck=${"deck" in move ? move.deck : undefined}
    data-pile=${"pile" in move ? move.pile : undefined}
    aria-pressed=${on}
    disabled=${!session.ready.value}
    onClick=${() => session.choose(offer)}
  >
    <b>${offer.name}</b>${offer.words && !offer.words.includes(offer.name) && html`<span>: ${offer.words}</span>`}
  </button>`;
}
