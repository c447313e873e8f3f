/**
 * How each language counts and writes numbers: "1 seat", "3 seats", "2.50".
 * @module
 */

/** Browsers do not know Latin: it counts as English does. @param {string} language */
const known = (language) => (language === "la" ? "en" : language);

/**
 * Counts things in a language: the number, then the form that goes with it.
 * @param {string} language
 * @returns {(count: number, one: string, more: string) => string}
 */
export function counting(language) {
  const number = new Intl.NumberFormat(known(language), { useGrouping: false });
  const rules = new Intl.PluralRules(known(language));
  return (count, one, more) => `${number.format(count)} ${rules.select(count) === "one" ? one : more}`;
}

/**
 * Writes a number with two decimals.
 * @param {string} language
 * @returns {(number: number) => string}
 */
export function hundredths(language) {
  const number = new Intl.NumberFormat(known(language), { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return (wanted) => number.format(wanted);
}

/** With a capital letter, as a name or a sentence begins. @param {string} words */
export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
