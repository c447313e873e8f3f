/**
 * What the reader is asked, and how he answers: a turn, a vote, a deck, a pile, a sorting.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { html } from "../lib/html.js";
import { ClauseTag } from "../rules/tag.js";
import words from "../words/table.js";
import { AskHint, Hinted, worthOf } from "./advice.js";
import { Counts, Hands } from "./hand.js";
import { keyOf } from "./session.js";
import { Sorting } from "./sorting.js";

/** Everything under the reader's thumb. @param {{ session: Session }} props */
export function Dock({ session }) {
  const question = session.question.value;
  const asks = question?.asks;
  const called = question && !session.shown.value?.paused;
  return html`<section
    class=${called ? "dock card called" : "dock card"}
    id="question"
    aria-label=${question?.title ?? words.hand}
  >
    ${question ? html`<h2>${question.title}</h2>` : html`<${Waiting} session=${session} />`}
    ${
      question && asks === "sort"
        ? html`<${Sorting} key=${session.shown.value?.changed} session=${session} question=${question} />`
        : html`<${Hands} session=${session} />
            ${question && asks === "deck" && html`<${Decks} session=${session} question=${question} />`}
            ${question && (asks === "draw" || asks === "lay") && html`<${Piles} session=${session} question=${question} />`}
            ${question && (asks === "turn" || asks === "vote") && html`<${Turn} session=${session} question=${question} />`}
            ${asks !== "draw" && asks !== "lay" && html`<${OwnPiles} session=${session} />`}
            ${question && html`<${Confirm} session=${session} question=${question} />`}`
    }
    ${question && html`<${Hinted} session=${session} question=${question} />`}
  </section>`;
}

/** @param {{ session: Session }} props */
function Waiting({ session }) {
  const shown = session.shown.value;
  const race = shown?.race;
  if (!shown || !race) return null;
  const name = race.chariots[race.turn ?? -1]?.name ?? "";
  const told = race.over
    ? words.raceOver
    : shown.paused
      ? words.pausedWords
      : shown.yours.length
        ? words.waitFor(name)
        : words.watching;
  return html`<p class="soft waiting">${told}</p>`;
}

/** Playing a card, or voting: what can be done with what was pointed at so far. @param {{ session: Session, question: t.QuestionShown }} props */
function Turn({ session, question }) {
  const card = session.card.value;
  const to = session.to.value;
  const listed = question.offers.filter((offer) =>
    offer.to === null
      ? true
      : card !== null
        ? offer.card === card
        : to !== null
          ? offer.to === to
          : question.asks === "vote",
  );
  return html`<${Refusals} session=${session} question=${question} />
    <${Offers} session=${session} offers=${listed} />`;
}

/**
 * Why cards cannot be played, each reason once, and why a space cannot be reached, with their clauses.
 * @param {{ session: Session, question: t.QuestionShown }} props
 */
function Refusals({ session, question }) {
  const asked = session.refusal.value;
  const edition = session.shown.value?.plan.edition;
  const all = merged(asked ? [...question.refused, asked] : question.refused);
  if (!all.length) return null;
  return html`<ul id="refusals">
    ${all.map(({ cards, words: why, clause }) => {
      const now = asked?.words === why || cards.includes(session.peeked.value ?? 0);
      return html`<li key=${why} class=${now ? "trouble asked" : "trouble"} role=${asked?.words === why ? "alert" : undefined}>
        <span class="refused-cards">${cards.map((card) => html`<b class=${`chip value-${card}`}>${card}</b>`)}</span>
        <span>${why}${clause && html` <${ClauseTag} clause=${clause} edition=${edition} />`}</span>
      </li>`;
    })}
  </ul>`;
}

/**
 * The reasons, each with all cards that it is about.
 * @param {{ card?: number, words: string, clause: string | null }[]} refused
 */
function merged(refused) {
  /** @type {Map<string, { cards: number[], words: string, clause: string | null }>} */
  const by = new Map();
  for (const { card, words: why, clause } of refused) {
    const one = by.get(why) ?? { cards: [], words: why, clause };
    if (card !== undefined && !one.cards.includes(card)) one.cards.push(card);
    by.set(why, one);
  }
  return [...by.values()];
}

/** How a move that costs something looks. */
const RISKS = { none: "", last: "tight", stranded: "bad", disqualified: "bad" };

/** @param {{ session: Session, offers: t.Offer[] }} props */
function Offers({ session, offers }) {
  if (!offers.length) return null;
  const chosen = session.chosen.value;
  return html`<ul id="offers">
    ${offers.map((offer) => {
      const on = chosen !== null && keyOf(chosen.move) === keyOf(offer.move);
      const worth = worthOf(session, offer);
      const classes = ["offer", on ? "chosen" : "", RISKS[offer.risk], offer.pays ? "pays" : ""].filter(Boolean);
      return html`<li key=${keyOf(offer.move)}>
        <button
          class=${classes.join(" ")}
          type="button"
          data-offer=${offer.name}
          title=${offer.code || undefined}
          aria-pressed=${on}
          disabled=${!session.ready.value}
          onClick=${() => session.choose(offer)}
          onPointerEnter=${() => (session.pointed.value = offer.to)}
          onPointerLeave=${() => session.leave(offer.to)}
        >
          <b>${worth?.best && html`<span class="star" aria-hidden="true">★</span> `}${offer.name}</b>
          ${offer.words !== offer.name && html`<span>${offer.words}</span>`}
          ${worth && html`<span class="worth">${worth.words}</span>`}
        </button>
      </li>`;
    })}
  </ul>`;
}

/** What to point at next. @param {Session} session @param {t.QuestionShown} question */
function advice(session, question) {
  if (!question.offers.some((offer) => offer.to !== null)) return words.chooseOne;
  if (question.asks === "vote") return words.chooseTarget;
  const refused = question.refused.find((one) => one.card === session.card.value);
  if (refused) return `${words.card(refused.card)}: ${words.cannotPlay}`;
  if (session.card.value !== null) return words.chooseSpace(session.card.value);
  return session.to.value !== null ? words.chooseCard : words.chooseFirst;
}

/** @param {{ session: Session, question: t.QuestionShown }} props */
function Confirm({ session, question }) {
  const chosen = session.chosen.value;
  const pointed = chosen || session.card.value !== null || session.to.value !== null;
  const play = chosen && `${words.confirmKinds[chosen.move.kind] ?? words.confirm}: ${chosen.name}`;
  const label = chosen ? (chosen.warning ? `${play} – ${chosen.warning}` : play) : advice(session, question);
  return html`<div class="confirming">
    <button
      class=${["button primary", chosen ? RISKS[chosen.risk] : ""].join(" ").trim()}
      id="confirm"
      type="button"
      disabled=${!chosen || !session.ready.value}
      onClick=${() => session.play()}
    >
      ${session.sending.value ? words.status.sending : label}
    </button>
    <button class="button quiet" id="clear" type="button" disabled=${!pointed} onClick=${() => session.clear()}>
      ${words.cancel}
    </button>
    <${AskHint} session=${session} />
  </div>`;
}

// ---------------------------------------------------------------------- decks and piles

/** @param {{ session: Session, question: t.QuestionShown }} props */
function Decks({ session, question }) {
  return html`<p class="soft asked-about">${words.about.decks}</p>
    <ul class="decks">
    ${question.offers.map((offer) => {
      const on = session.chosen.value === offer;
      return html`<li>
        <button
          class=${on ? "deck chosen" : "deck"}
          type="button"
          data-deck=${"deck" in offer.move ? offer.move.deck : ""}
          aria-pressed=${on}
          disabled=${!session.ready.value}
          onClick=${() => session.choose(offer)}
        >
          <span class="stack" aria-hidden="true"></span><b>${offer.name}</b>
          ${offer.words !== offer.name && html`<span class="soft">${offer.words}</span>`}
        </button>
      </li>`;
    })}
  </ul>`;
}

/** The three piles, to draw from or to lay on. @param {{ session: Session, question: t.QuestionShown }} props */
function Piles({ session, question }) {
  const chariot = session.race.value?.chariots[question.chariot];
  const hand = session.shown.value?.hands.find((one) => one.chariot === question.chariot);
  return html`<p class="soft asked-about">${question.asks === "lay" ? words.about.lay : words.about.draw}</p>
    <ul class="piles">
    ${[0, 1, 2].map((pile) => {
      const offer = question.offers.find((one) => "pile" in one.move && one.move.pile === pile);
      const on = offer !== undefined && session.chosen.value === offer;
      return html`<li>
        <button
          class=${on ? "pile chosen" : "pile"}
          type="button"
          data-pile=${pile}
          aria-pressed=${on}
          disabled=${!offer || !session.ready.value}
          onClick=${() => offer && session.choose(offer)}
        >
          <${Pile}
            pile=${pile}
            size=${chariot?.piles[pile] ?? 0}
            counts=${hand?.piles[pile]}
            laid=${chariot?.laid === pile}
          />
        </button>
      </li>`;
    })}
  </ul>`;
}

/** The reader's piles while nobody asks about them. @param {{ session: Session }} props */
function OwnPiles({ session }) {
  const [shown, race] = [session.shown.value, session.race.value];
  const hand = shown?.hands[0];
  const chariot = hand && race ? race.chariots[hand.chariot] : undefined;
  if (!hand || !chariot?.piles.length || race?.over) return null;
  return html`<ul class="piles quiet">
    ${chariot.piles.map(
      (size, pile) =>
        html`<li>
          <div class="pile">
            <${Pile} pile=${pile} size=${size} counts=${hand.piles[pile]} laid=${chariot.laid === pile} />
          </div>
        </li>`,
    )}
  </ul>`;
}

/** @param {{ pile: number, size: number, counts: number[] | undefined, laid: boolean }} props */
function Pile({ pile, size, counts, laid }) {
  return html`<b>${words.pile.name(words.roman[pile] ?? "")}</b>
    <span class="soft">${size ? words.pile.size(size) : words.pile.empty}</span>
    ${counts?.some(Boolean) && html`<${Counts} counts=${counts} />`}
    ${laid && html`<span class="tag">${words.pile.laid}</span>`}`;
}
