/**
 * A deck sorted into three piles: cards are dragged or clicked from pile to pile. Whether the sorting is allowed, and
 * why not, is asked of the server after each change.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { html, useEffect, useSignal } from "../lib/html.js";
import { shortcuts } from "../lib/prefs.js";
import { ClauseTag } from "../rules/tag.js";
import words from "../words/table.js";
import { AskHint } from "./advice.js";

/** @param {{ session: Session, question: t.QuestionShown }} props */
export function Sorting({ session, question }) {
  const usual = usualPiles(question);
  const piles = useSignal(usual);
  const refusal = useSignal(/** @type {t.Reason | null} */ (null));
  const asking = useSignal(false);
  const over = useSignal(/** @type {number | null} */ (null));
  const sort = (/** @type {number[][]} */ next) => (piles.value = next.map((pile) => [...pile].sort((a, b) => a - b)));
  const carry = (/** @type {number} */ card, /** @type {number} */ from, /** @type {number} */ to) => {
    if (from === to || !session.ready.value) return;
    const next = piles.value.map((pile) => [...pile]);
    next[from]?.splice(next[from].indexOf(card), 1);
    next[to]?.push(card);
    sort(next);
  };
  useEffect(() => {
    let wanted = true;
    asking.value = true;
    session
      .why({ kind: "sort", piles: piles.value })
      .then((reason) => wanted && ((refusal.value = reason?.words ? reason : null), (asking.value = false)))
      .catch(() => wanted && (asking.value = false));
    return () => void (wanted = false);
  }, [piles.value]);
  const changed = JSON.stringify(piles.value) !== JSON.stringify(usual);
  return html`<div class="sorting">
    <p class="soft asked-about">${words.about.sort} ${words.sorting.how}</p>
    <div class="sort-piles">
      ${piles.value.map(
        (pile, at) =>
          html`<section
            key=${at}
            class=${over.value === at ? "sort-pile over" : "sort-pile"}
            data-pile=${at}
            aria-label=${words.pile.name(words.roman[at] ?? "")}
            onDragOver=${(/** @type {DragEvent} */ event) => (event.preventDefault(), (over.value = at))}
            onDragLeave=${() => (over.value = null)}
            onDrop=${(/** @type {DragEvent} */ event) => {
              event.preventDefault();
              over.value = null;
              const [card, from] = (event.dataTransfer?.getData("text/plain") ?? "").split(" ").map(Number);
              if (card && from !== undefined && piles.value[from]?.includes(card)) carry(card, from, at);
            }}
          >
            <h3>${words.roman[at]} <span class="soft">${words.pile.size(pile.length)}</span></h3>
            <div class="sort-cards">
              ${pile.map(
                (card, i) =>
                  html`<button
                    key=${i}
                    class=${`chip big value-${card}`}
                    type="button"
                    draggable="true"
                    data-card=${card}
                    aria-label=${words.sorting.move(card, words.roman[at] ?? "")}
                    onClick=${() => carry(card, at, (at + 1) % 3)}
                    onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
                      if (!shortcuts.value || !/^[1-3]$/.test(event.key)) return;
                      event.preventDefault();
                      carry(card, at, Number(event.key) - 1);
                    }}
                    onDragStart=${(/** @type {DragEvent} */ event) => event.dataTransfer?.setData("text/plain", `${card} ${at}`)}
                  >
                    ${card}
                  </button>`,
              )}
            </div>
          </section>`,
      )}
    </div>
    ${refusal.value && html`<p class="trouble" role="alert">${refusal.value.words} ${refusal.value.clause && html`<${ClauseTag} clause=${refusal.value.clause} edition=${session.shown.value?.plan.edition} />`}</p>`}
    <div class="confirming">
      <button
        class="button primary"
        id="confirm"
        type="button"
        disabled=${!session.ready.value || asking.value || refusal.value !== null}
        onClick=${() => session.decide({ kind: "sort", piles: piles.value })}
      >
        ${session.sending.value ? words.status.sending : words.sorting.confirm}
      </button>
      <button class="button quiet" type="button" disabled=${!changed} onClick=${() => sort(usual)}>
        ${words.sorting.usual}
      </button>
      <${AskHint} session=${session} />
    </div>
  </div>`;
}

/**
 * The sorting that the server offers; all on one pile, should it offer none.
 * @param {t.QuestionShown} question
 * @returns {number[][]}
 */
function usualPiles(question) {
  const move = question.offers[0]?.move;
  if (move?.kind === "sort") return move.piles;
  return [question.to_sort.flatMap((count, i) => Array(count).fill(i + 1)), [], []];
}
