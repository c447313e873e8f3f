/**
 * How each language counts: "1 seat", "3 seats".
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

/** With a capital letter, as a name or a sentence begins. @param {string} words */
export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
