/**
 * The cards that the reader holds, and what is left to draw. Whether a card can be played, the server has said.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { html } from "../lib/html.js";
import words from "../words/table.js";
import { Explain } from "./legend.js";
import { useFlight } from "./flight.js";

/** Whether all that is asked is which card goes under the deck. @param {t.QuestionShown} question */
export const exchanges = ({ offers }) =>
  offers.length > 1 && offers.every((offer) => offer.move.kind === "miss" && offer.card !== null);

/** @param {{ session: Session }} props */
export function Hands({ session }) {
  const shown = session.shown.value;
  const nothing = shown?.hands.every((hand) => !hand.cards.length && !hand.undrawn.some(Boolean));
  useFlight(session);
  if (!shown?.race || shown.race.over || nothing) return null;
  const several = shown.hands.length > 1;
  return html`<div id="hand" role="group" aria-label=${words.hand}>
    ${shown.hands.map((hand, i) => html`<${Hand} key=${`${hand.chariot} ${i > 0}`} session=${session} hand=${hand} named=${several} second=${i > 0} />`)}
  </div>`;
}

/** @param {{ session: Session, hand: t.HandShown, named: boolean, second: boolean }} props */
function Hand({ session, hand, named, second }) {
  const question = session.question.value;
  const asked = question?.chariot === hand.chariot && question.asks === "turn";
  const name = session.race.value?.chariots[hand.chariot]?.name ?? "";
  const optional = session.race.value?.tribute === "optional";
  return html`<section
    class=${second ? "hand second" : question && !asked ? "hand idle" : "hand"}
    aria-label=${words.handOf(name)}
  >
    ${named && html`<h3>${name}</h3>`}
    <div class="cards">
      ${hand.cards.map((card, i) => {
        const nth = i - hand.cards.indexOf(card);
        return html`<${Card} key=${`${card} ${nth}`} card=${card} nth=${nth} session=${session} asked=${asked} />`;
      })}
      ${!hand.cards.length && html`<p class="soft">${words.noHand}</p>`}
    </div>
    <div class="about-hand">
      ${
        hand.standing &&
        html`<p class="standing">
          ${hand.standing.split(" · ").map((part, i, all) => html`<span class="standing-part">${part}${i === all.length - 1 && html` <${Explain} id=${`explain-standing-${hand.chariot}`} about=${[optional ? words.legend.emperor : words.legend.coin, words.legend.spare]} />`}</span> `)}
        </p>`
      }
      <${Undrawn} hand=${hand} />
    </div>
  </section>`;
}

/**
 * A card of the hand; of several equal ones only the one that was taken is lifted.
 * @param {{ card: number, nth: number, session: Session, asked: boolean }} props
 */
function Card({ card, nth, session, asked }) {
  const question = asked ? session.question.value : null;
  const refused = question?.refused.find((one) => one.card === card);
  const to = session.card.value === null ? session.to.value : null; // a space was chosen first
  const fits = question?.offers.some((offer) => offer.card === card && (to === null || offer.to === to));
  const hinted = asked && session.hint.value?.moves[0]?.move;
  const chosen = asked && session.card.value === card && (session.taken.value ?? 0) === nth;
  const classes = ["playing-card", `value-${card}`];
  const given = question && exchanges(question) ? question.offers.find((offer) => offer.card === card) : undefined;
  if (refused && !given) classes.push("refused");
  if (chosen) classes.push("chosen");
  if (asked && !refused && !fits) classes.push("dim");
  if (hinted && "card" in hinted && hinted.card === card && nth === 0) classes.push("hinted");
  const peek = () => (session.peeked.value = card);
  const leave = () => session.peeked.value === card && (session.peeked.value = null);
  return html`<button
    class=${classes.join(" ")}
    type="button"
    data-card=${card}
    data-offer=${nth === 0 ? given?.name : undefined}
    aria-pressed=${asked ? chosen : undefined}
    aria-label=${refused ? `${words.card(card)}, ${words.cannotPlay}: ${refused.words}` : words.card(card)}
    title=${refused?.words}
    disabled=${!asked || !session.ready.value}
    onClick=${() => session.chooseCard(card, nth)}
    onPointerEnter=${peek}
    onPointerLeave=${leave}
    onFocus=${peek}
    onBlur=${leave}
  >
    <${Face} card=${card} />
    ${refused && !given && html`<span class="bar-sign" aria-hidden="true"></span>`}
  </button>`;
}

/**
 * A card's face: its value, and as many horseshoes.
 * @param {{ card: number }} props
 */
export function Face({ card }) {
  return html`<span class="corner" aria-hidden="true">${card}</span>
    <svg class="shoes" viewBox="0 0 30 36" aria-hidden="true">
      ${SHOES[card - 1]?.map(([x, y]) => html`<path transform=${`translate(${x} ${y})`} d="M-3.200 3.600C-5.200-1.500-3-4.600 0-4.600S5.200-1.500 3.200 3.600" />`)}
    </svg>`;
}

/** @type {[number, number][][]} */
const SHOES = [
  [[15, 18]],
  [
    [15, 10],
    [15, 27],
  ],
  [
    [15, 8],
    [15, 18.5],
    [15, 29],
  ],
  [
    [9, 11],
    [21, 11],
    [9, 26],
    [21, 26],
  ],
  [
    [9, 9],
    [21, 9],
    [15, 18.5],
    [9, 28],
    [21, 28],
  ],
  [
    [9, 8],
    [21, 8],
    [9, 18.5],
    [21, 18.5],
    [9, 29],
    [21, 29],
  ],
];

/**
 * How many cards of each value, as small cards.
 * @param {{ counts: number[] }} props
 */
export function Counts({ counts }) {
  return html`<span class="counts">
    ${counts.map(
      (count, i) =>
        count > 0 &&
        html`<span class="count" title=${words.value.many(count, i + 1)}
          ><b class=${`chip value-${i + 1}`}>${i + 1}</b><span>×${count}</span></span
        >`,
    )}
  </span>`;
}

/** @param {{ hand: t.HandShown }} props */
function Undrawn({ hand }) {
  if (hand.piles.length) return null; // the piles tell it
  if (!hand.undrawn.some(Boolean)) return html`<p class="undrawn soft">${words.deckEmpty}</p>`;
  return html`<p class="undrawn">
    <span class="soft"
      >${words.deck}${hand.bottom.length > 0 && html`<span class="under"> · ${hand.bottom.join(", ")} ${words.under}</span>`}</span
    >
    <${Counts} counts=${hand.undrawn} />
  </p>`;
}
