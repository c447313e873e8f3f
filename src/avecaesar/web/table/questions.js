/**
 * What the reader is asked, and how he answers: a turn, a vote, a deck, a pile, a sorting.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { Mark } from "../board/signs.js";
import { html, useLayoutEffect } from "../lib/html.js";
import { ClauseTag } from "../rules/tag.js";
import words from "../words/table.js";
import { AskHint, Hinted, worthOf } from "./advice.js";
import { Counts, Hands, exchanges } from "./hand.js";
import { askedOf, keyOf } from "./session.js";
import { Sorting } from "./sorting.js";
import { Ticker } from "./story.js";

/** Everything under the reader's thumb. @param {{ session: Session, openStory: () => void }} props */
export function Dock({ session, openStory }) {
  const question = session.question.value;
  const asks = question?.asks;
  const paused = session.shown.value?.paused;
  const called = question && !paused;
  const asked = question && (exchanges(question) ? words.whichUnder : question.title);
  useSuggestion(session, question);
  const classes = ["dock card", called ? "called" : "", question && !drives(question) ? "special" : ""];
  return html`<section
    class=${classes.filter(Boolean).join(" ")}
    id="question"
    aria-label=${called ? asked : words.hand}
  >
    <${Ticker} session=${session} open=${openStory} />
    ${called ? html`<h2 class=${asked === question.title ? "" : "dock-asks"}>${asked}</h2>` : html`<${Waiting} session=${session} />`}
    ${
      question && asks === "sort"
        ? html`<${Sorting} key=${askedOf(session.shown.value)} session=${session} question=${question} />`
        : html`<${Hands} session=${session} />
            ${question && asks === "deck" && html`<${Decks} session=${session} question=${question} />`}
            ${question && (asks === "draw" || asks === "lay") && html`<${Piles} session=${session} question=${question} />`}
            ${asks !== "draw" && asks !== "lay" && html`<${OwnPiles} session=${session} />`}
            ${question && (asks === "turn" || asks === "vote") && html`<${Choices} session=${session} question=${question} />`}
            ${!question && html`<${Later} session=${session} />`} ${question && paused && html`<div class="confirming"></div>`}
            ${called && html`<${Confirm} session=${session} question=${question} />`}`
    }
  </section>`;
}

/** Whether a question is the usual one: a card to play. @param {t.QuestionShown} question */
const drives = (question) => question.asks === "turn" && question.offers.some((offer) => offer.to !== null);

/** Where there is nothing to choose, it is chosen already: one button is left. @param {Session} session @param {t.QuestionShown | null} question */
function useSuggestion(session, question) {
  const nothing = session.chosen.value === null;
  useLayoutEffect(() => {
    if (!question || !nothing || drives(question) || question.asks === "sort") return;
    const { offers } = question;
    const missed = offers.find((offer) => offer.move.kind === "miss" && offer.card === null);
    const only = offers.length === 1 ? offers[0] : missed;
    if (only) session.choose(only, false);
  }, [session, question, nothing]);
}

/** @param {{ session: Session }} props */
function Waiting({ session }) {
  const shown = session.shown.value;
  const race = shown?.race;
  if (!shown || !race) return null;
  const turn = race.chariots[race.turn ?? -1];
  const told = race.over
    ? words.raceOver
    : shown.closed
      ? words.status.closed
      : shown.paused
        ? words.status.paused
        : !shown.yours.length
          ? words.watching
          : turn && turn.seat !== null && shown.yours.includes(turn.seat)
            ? words.status.driving
            : words.waitFor(turn?.name ?? "");
  return html`<p class="soft waiting">${told}</p>`;
}

/** While others decide the room of the answer stays, so that nothing moves when it is one's turn again. @param {{ session: Session }} props */
function Later({ session }) {
  const shown = session.shown.value;
  if (!shown?.race || shown.race.over || !shown.hands.length) return null;
  return html`<div class="dock-room"><${Order} race=${shown.race} /></div>
    <div class="confirming"></div>`;
}

/** Who decides now, and who after that. @param {{ race: t.RaceShown }} props */
function Order({ race }) {
  if (race.order.length < 2 || race.voted_on !== null) return null;
  return html`<div class="dock-order">
    <h3>${words.turnOrder}</h3>
    <ol>
      ${race.order.map((i) => {
        const chariot = race.chariots[i];
        return chariot && html`<li key=${i}><${Mark} colour=${chariot.colour} /><span>${chariot.name}</span></li>`;
      })}
    </ol>
  </div>`;
}

// ---------------------------------------------------------------------- a card to play, or a vote

/**
 * What can be done with what was pointed at so far, and why the rest cannot. All of it lies on one place, one upon
 * another, and only what is about the choice is seen: so nothing below it ever moves.
 * @param {{ session: Session, question: t.QuestionShown }} props
 */
function Choices({ session, question }) {
  const [card, to, race] = [session.card.value, session.to.value, session.race.value];
  if (!drives(question)) {
    const all = question.asks === "vote" || (question.offers.length > 1 && !exchanges(question)) ? question.offers : [];
    return html`${question.warning && html`<p class="dock-warning">${question.warning}</p>`}
      <div class=${all.length ? "dock-room free" : "dock-room"}><${Refusals} session=${session} question=${question} /></div>
      <div id="offers" class="dock-room free">
        ${all.length > 0 && html`<${Ways} session=${session} offers=${all} />`}
      </div>`;
  }
  const beside = question.offers.filter((offer) => offer.to === null);
  const cards = [...new Set(question.offers.flatMap((offer) => (offer.to === null || offer.card === null ? [] : [offer.card])))];
  const ways = cards.map((one) => question.offers.filter((offer) => offer.to !== null && offer.card === one));
  const there = card === null && to !== null ? question.offers.filter((offer) => offer.to === to) : [];
  const refused = session.refusal.value || question.refused.some((one) => one.card === (session.peeked.value ?? card));
  const now = refused ? "why" : card !== null ? `of ${card}` : there.length ? "to" : session.hint.value ? "hint" : "why";
  const layer = (/** @type {string} */ name) => (name === now ? "dock-layer on" : "dock-layer");
  return html`${question.warning && html`<p class="dock-warning">${question.warning}</p>`}
    <div id="offers" class="dock-room">
      <div class=${layer("why")}>
        <${Refusals} session=${session} question=${question} />
        ${!question.refused.length && !session.refusal.value && race && html`<${Order} race=${race} />`}
      </div>
      <div class=${layer("hint")}><${Hinted} session=${session} question=${question} /></div>
      <div class=${layer("to")}>${there.length > 0 && html`<${Ways} session=${session} offers=${there} />`}</div>
      ${ways.map(
        (offers, i) =>
          html`<div key=${cards[i]} class=${layer(`of ${cards[i]}`)}>
            ${offers[1] ? html`<${Ways} session=${session} offers=${offers} />` : html`<${OnlyWay} session=${session} offer=${offers[0]} />`}
          </div>`,
      )}
    </div>
    ${beside.length > 0 && html`<div id="beside"><${Ways} session=${session} offers=${beside} /></div>`}`;
}

/**
 * Why cards cannot be played, each reason once, and why a space cannot be reached, with their clauses.
 * @param {{ session: Session, question: t.QuestionShown }} props
 */
function Refusals({ session, question }) {
  const asked = session.refusal.value;
  const edition = session.shown.value?.plan.edition;
  const known = question.refused.some((one) => one.words === asked?.words);
  const all = merged(asked && !known ? [asked] : question.refused);
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

/** What a move leads to and what it is worth, beside its name. @param {{ session: Session, offer: t.Offer }} props */
function About({ session, offer }) {
  const worth = worthOf(session, offer);
  const told = offer.words && offer.words !== offer.name ? offer.words : "";
  if (!told && !worth) return null;
  return html`<span>${told}${told && worth && " · "}${worth && html`<em class="worth">${worth.words}</em>`}</span>`;
}

/** A card that leads to one place only: the button has its name. @param {{ session: Session, offer: t.Offer }} props */
function OnlyWay({ session, offer }) {
  const classes = ["dock-only", RISKS[offer.risk], offer.pays ? "pays" : ""].filter(Boolean);
  return html`<p class=${classes.join(" ")}><${About} session=${session} offer=${offer} /></p>`;
}

/** Several ways, to choose from. @param {{ session: Session, offers: t.Offer[] }} props */
function Ways({ session, offers }) {
  const chosen = session.chosen.value;
  return html`<ul class="dock-ways">
    ${offers.map((offer) => {
      const on = chosen !== null && keyOf(chosen.move) === keyOf(offer.move);
      const missed = offer.move.kind === "miss";
      const classes = ["offer", on ? "chosen" : "", RISKS[offer.risk], offer.pays ? "pays" : "", missed ? "missed" : ""].filter(Boolean);
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
          <b>${worthOf(session, offer)?.best && html`<span class="star" aria-hidden="true">★</span> `}${offer.name}</b>
          <${About} session=${session} offer=${offer} />
        </button>
      </li>`;
    })}
  </ul>`;
}

/** What to point at next. @param {Session} session @param {t.QuestionShown} question */
function nextChoice(session, question) {
  if (question.asks === "draw") return words.chooseFrom;
  if (!question.offers.some((offer) => offer.to !== null)) return words.chooseOne;
  if (question.asks === "vote") return words.chooseTarget;
  const refused = question.refused.find((one) => one.card === session.card.value);
  if (refused) return `${words.card(refused.card)}: ${words.cannotPlay}`;
  if (session.card.value !== null) return words.chooseSpace(session.card.value);
  return session.to.value !== null ? words.chooseCard : words.chooseFirst;
}

/** What the button says that makes a move. @param {t.Offer} offer */
export function deed(offer) {
  const { move } = offer;
  if (move.kind === "miss") return offer.card === null ? words.missTurn : words.missAndExchange(offer.card);
  return `${words.confirmKinds[move.kind] ?? words.confirm}: ${offer.name}`;
}

/** @param {{ session: Session, question: t.QuestionShown }} props */
function Confirm({ session, question }) {
  const chosen = session.chosen.value;
  const pointed = chosen || session.card.value !== null || session.to.value !== null;
  const alone = (question.offers.length === 1 && !drives(question)) || question.asks === "draw";
  return html`<div class="confirming">
    <button
      class=${["button primary", chosen ? RISKS[chosen.risk] : ""].join(" ").trim()}
      id="confirm"
      type="button"
      disabled=${!chosen || !session.ready.value}
      onClick=${() => session.play()}
    >
      <span
        >${session.sending.value ? words.status.sending : chosen ? deed(chosen) : nextChoice(session, question)}${
          !session.sending.value && chosen?.warning && html`<span class="dock-risk"> – ${chosen.warning}</span>`
        }</span
      >
    </button>
    ${
      !alone &&
      html`<button class="button quiet" id="clear" type="button" disabled=${!pointed} onClick=${() => session.clear()}>
        ${words.cancel}
      </button>`
    }
    ${(question.offers.length > 1 || drives(question)) && html`<${AskHint} session=${session} />`}
  </div>`;
}

// ---------------------------------------------------------------------- decks and piles

/** @param {{ session: Session, question: t.QuestionShown }} props */
function Decks({ session, question }) {
  return html`<p class="soft asked-about dock-more">${words.about.decks}</p>
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
          ${offer.cards !== null && offer.points !== null && html`<span class="deck-sum">${words.deckSum(offer.cards, offer.points)}</span>`}
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
  const take = (/** @type {t.Offer} */ offer) => {
    const last = question.asks === "draw"; // the pile is all there is to decide
    session.choose(offer, !last);
    if (last) void session.play();
  };
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
          onClick=${() => offer && take(offer)}
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
