/**
 * Lots drawn again: what a secret and the players' shares deal, byte for byte as docs/records.md describes it.
 * @module
 */

/** @typedef {(bytes: Uint8Array) => Uint8Array} Digest SHA-256 */
/** @typedef {() => number} Chance the next byte */

export const DECK = [1, 2, 3, 4, 5, 6].flatMap((card) => [card, card, card, card]);

/** @param {Uint8Array} bytes */
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** What may be told of a secret before it is opened. @param {Digest} sha256 @param {string} secret in hexadecimal */
export function commitmentOf(sha256, secret) {
  if (!/^(?:[0-9a-f]{2})+$/.test(secret)) return "";
  return hexOf(sha256(Uint8Array.from(secret.match(/../g) ?? [], (pair) => parseInt(pair, 16))));
}

/**
 * The stream of chance that follows from a secret, the shares in their order, and what it is for.
 * @param {Digest} sha256
 * @param {string} secret
 * @param {string[]} shares
 * @param {"grid" | "deal"} purpose
 * @returns {Chance}
 */
export function chanceOf(sha256, secret, shares, purpose) {
  const line = ["avecaesar", "lot", purpose, secret, ...shares].join(" ");
  let [block, at, number] = [/** @type {Uint8Array} */ (new Uint8Array()), 0, 0];
  return () => {
    if (at === block.length) {
      block = sha256(new TextEncoder().encode(`${line} ${number}`));
      [at, number] = [0, number + 1];
    }
    at += 1;
    return block[at - 1];
  };
}

/** A number below n: the upper bits of a byte, as many as n - 1 has, drawn again until they fit. @param {Chance} chance @param {number} n */
function below(chance, n) {
  const bits = 32 - Math.clz32(n - 1);
  if (bits === 0) return 0;
  let number = n;
  while (number >= n) number = chance() >> (8 - bits);
  return number;
}

/**
 * Things in the order in which chance lays them.
 * @template T
 * @param {Chance} chance
 * @param {T[]} things
 * @returns {T[]}
 */
export function shuffled(chance, things) {
  const pool = [...things];
  for (let i = 0; i < pool.length; i++) {
    const other = i + below(chance, pool.length - i);
    [pool[i], pool[other]] = [pool[other], pool[i]];
  }
  return pool;
}

/**
 * The order in which the cards of sorted piles are drawn, if the shuffle is of numbers: in each pile the cards are
 * numbered by their value, and those come first whose numbers stand first.
 * @param {number[]} shuffle
 * @param {number[][]} piles in whichever order
 */
export function drawnFrom(shuffle, piles) {
  let first = 0;
  return piles.map((pile) => {
    const [from, cards] = [first, pile.toSorted((a, b) => a - b)];
    first += pile.length;
    return shuffle.filter((number) => from <= number && number < first).map((number) => cards[number - from]);
  });
}

/**
 * The seats on the first grid, place after place (SET-2).
 * @param {Chance} chance
 * @param {string} rule `random`, or `high_card`: who turns up the highest card stands first, and the others follow
 * @param {number} players
 * @param {number} each chariots of a player
 */
export function firstGrid(chance, rule, players, each) {
  const seats = Array.from({ length: players }, (_, seat) => seat);
  if (rule === "random") {
    const order = shuffled(chance, seats);
    return Array.from({ length: each }, () => order).flat();
  }
  const first = highest(chance, seats);
  return Array.from({ length: players * each }, (_, place) => (first + place) % players);
}

/** @param {Chance} chance @param {number[]} seats */
function highest(chance, seats) {
  const decks = seats.map(() => shuffled(chance, DECK));
  let tied = seats;
  do {
    const cards = tied.map((seat) => {
      if (!decks[seat].length) decks[seat] = shuffled(chance, DECK);
      return Number(decks[seat].shift());
    });
    const best = Math.max(...cards);
    tied = tied.filter((_, i) => cards[i] === best);
  } while (tied.length > 1);
  return tied[0];
}
