/**
 * What a chariot can have held: its deck as it was dealt, and its turns as the record tells them, give all its hands.
 * @module
 */

/**
 * A turn of a chariot as records have it, as far as its cards go.
 * @typedef {object} Turn
 * @property {number} chariot
 * @property {number} [play]
 * @property {number | null} [exchange]
 * @property {number} [draw] a pile
 * @property {number} [lay] a card
 * @property {number} [pile]
 */
/**
 * `hands` in words as `handOf` and `pilesOf` have them; `left`: in hand and deck together, how many of each value.
 * @typedef {{ hands: Set<string>, left: Set<string> }} Held
 */

/** How many of each value. @param {number[]} cards */
const counted = (cards) => [1, 2, 3, 4, 5, 6].map((value) => cards.filter((card) => card === value).length);

/** A hand and what is known of the deck, in words. @param {number[]} cards @param {number[]} undrawn @param {number[]} bottom */
export const handOf = (cards, undrawn, bottom) => [cards.toSorted().join(""), undrawn.join(""), bottom.join("")].join("|");

/** The same where cards are drawn from piles. @param {number[]} cards @param {number[]} sizes of the piles */
export const pilesOf = (cards, sizes) => [cards.toSorted().join(""), sizes.join(".")].join("|");

/** Cards without some of them; null: they are not all there. @param {number[]} cards @param {number[]} gone */
function without(cards, gone) {
  const left = [...cards];
  for (const card of gone) {
    const at = left.indexOf(card);
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}

/**
 * Of a deck that is drawn from its top, and that exchanged cards go under; null: these turns cannot have been.
 * A card that was played is replaced at once, at the end of the round, or at home not at all.
 * @param {number[]} deck first drawn first
 * @param {Turn[]} turns
 * @param {number} size of a hand
 * @returns {Held | null}
 */
export function heldFrom(deck, turns, size) {
  const [queue, gone] = [[...deck], /** @type {number[]} */ ([])];
  const held = { hands: new Set(), left: new Set() };
  const drawn = () => Math.min(queue.length, size + gone.length);
  const note = () => {
    for (const n of [drawn(), drawn() - 1]) {
      const hand = without(queue.slice(0, Math.max(n, 0)), gone);
      if (hand) held.hands.add(handOf(hand, counted(queue.slice(n)), queue.slice(Math.max(n, deck.length))));
    }
    held.left.add(counted(without(queue, gone) ?? []).join(""));
  };
  note();
  for (const { play, exchange } of turns) {
    const card = play ?? exchange;
    if (card === undefined || card === null) continue;
    if (!without(queue.slice(0, drawn()), gone)?.includes(card)) return null;
    gone.push(card);
    if (play === undefined) queue.push(card);
    note();
  }
  return held;
}

/**
 * Of a deck that was sorted into piles. The emperor's cards come into the hand or onto a pile some day.
 * @param {number[][]} sorted first drawn first
 * @param {number[]} emperor
 * @param {Turn[]} turns
 * @returns {Held | null}
 */
export function heldFromPiles(sorted, emperor, turns) {
  const piles = sorted.map((pile) => [...pile]);
  let [hand, aside] = [/** @type {number[]} */ ([]), emperor];
  const held = { hands: new Set(), left: new Set() };
  const note = () => {
    for (const more of [[], ...aside.map((card) => [card]), aside]) {
      const sizes = piles.map((pile) => pile.length);
      held.hands.add(pilesOf([...hand, ...more], sizes));
      held.left.add(counted([...hand, ...more, ...piles.flat()]).join(""));
    }
  };
  note();
  for (const { draw, lay, pile, play } of turns) {
    if (draw !== undefined) {
      const card = piles[draw]?.shift();
      if (card === undefined) return null;
      hand = [...hand, card];
    } else if (lay !== undefined) {
      const rest = without(aside, [lay]);
      if (!rest) return null;
      aside = rest;
      piles[Number(pile)].unshift(lay);
    } else if (play !== undefined) {
      const [rest, others] = [without(hand, [play]), without(aside, [play])];
      if (rest) hand = rest;
      else if (others) aside = others;
      else return null;
    }
    note();
  }
  return held;
}

/**
 * Whether a riderless chariot can have made these turns: it uses its cards in their order, and throws some away.
 * @param {number[]} deck
 * @param {Turn[]} turns
 */
export function couldHaveUsed(deck, turns) {
  const queue = [...deck];
  let at = 0;
  return turns.every(({ play, exchange }) => {
    const card = play ?? exchange;
    if (card === undefined || card === null) return true;
    at = queue.indexOf(card, at) + 1;
    if (play === undefined) queue.push(card);
    return at > 0;
  });
}
