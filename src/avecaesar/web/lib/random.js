/**
 * Randomness of the player's own: his share in the cards, and the numbers of his commands.
 * @module
 */

/**
 * So many random bytes in hexadecimal digits.
 * @param {number} bytes
 * @returns {string}
 */
function randomHex(bytes) {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * A share of 16 random bytes for the next deal, so that nobody else can have chosen the cards.
 * @returns {string}
 */
export function newShare() {
  return randomHex(16);
}

/**
 * A number for a command that no other command has.
 * @returns {string}
 */
export function newId() {
  return randomHex(12);
}
