/**
 * A deck sorted into three piles: a card is taken and put on a pile, by clicks, by dragging it or by its pile's number;
 * or all of its value at once. Whether the sorting is allowed, and why not, is asked of the server after each change.
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
  const whole = useSignal(false); // all cards of the value that is taken
  const taken = useSignal(/** @type {{ card: number, from: number, nth: number } | null} */ (null));
  const sort = (/** @type {number[][]} */ next) => (piles.value = next.map((pile) => [...pile].sort((a, b) => a - b)));
  const carry = (/** @type {number} */ card, /** @type {number} */ from, /** @type {number} */ to) => {
    if (from === to || !session.ready.value) return;
    const next = piles.value.map((pile) => [...pile]);
    next[from]?.splice(next[from].indexOf(card), 1);
    next[to]?.push(card);
    taken.value = null;
    sort(next);
  };
  const put = (/** @type {number} */ to) => {
    const held = taken.value;
    if (!held || !session.ready.value) return;
    if (!whole.value) return carry(held.card, held.from, to);
    const count = piles.value.flat().filter((one) => one === held.card).length;
    const rest = piles.value.map((pile) => pile.filter((one) => one !== held.card));
    taken.value = null;
    sort(rest.map((pile, at) => (at === to ? [...pile, ...Array(count).fill(held.card)] : pile)));
  };
  const take = (/** @type {number} */ card, /** @type {number} */ from, /** @type {number} */ nth) => {
    const held = taken.value;
    if (held && held.from !== from) return put(from); // a card of the pile is a place of it too
    taken.value = held?.card === card && held.nth === nth ? null : { card, from, nth };
  };
  const held = taken.value;
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
    ${
      refusal.value
        ? html`<p class="trouble" role="alert">
            ${refusal.value.words} ${refusal.value.clause && html`<${ClauseTag} clause=${refusal.value.clause} edition=${session.shown.value?.plan.edition} />`}
          </p>`
        : html`<p class="soft asked-about"><span class="dock-more">${words.about.sort}</span> ${words.sorting.how}</p>`
    }
    <div class="sort-piles">
      ${piles.value.map(
        (pile, at) =>
          html`<section
            key=${at}
            class=${["sort-pile", over.value === at ? "over" : "", held && held.from !== at ? "sort-open" : "", refusal.value?.pile === at ? "sort-bad" : ""].filter(Boolean).join(" ")}
            data-pile=${at}
            onClick=${(/** @type {Event} */ event) => event.target instanceof Element && !event.target.closest("[data-card]") && put(at)}
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
                    class=${`chip big value-${card}${held?.from === at && held.nth === i ? " sort-taken" : ""}`}
                    type="button"
                    draggable="true"
                    data-card=${card}
                    aria-label=${words.sorting.card(card, words.roman[at] ?? "")}
                    aria-pressed=${held?.from === at && held.nth === i}
                    onClick=${() => take(card, at, i)}
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
    ${
      held
        ? html`<div class="confirming sort-to" role="group" aria-label=${words.sorting.to(held.card)}>
            <span>${words.sorting.to(held.card)}</span>
            ${piles.value.map((_, at) => html`<button class="button" type="button" data-put=${at} disabled=${at === held.from && !whole.value} onClick=${() => put(at)}>${words.roman[at]}</button>`)}
            <button class="button quiet" id="sort-whole" type="button" aria-pressed=${whole.value} onClick=${() => (whole.value = !whole.value)}>
              ${whole.value ? "☑" : "☐"} ${words.sorting.all(held.card)}
            </button>
          </div>`
        : html`<div class="confirming">
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
    </div>`
    }
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
