/** Numeri ordinis Romani: "III". */
const NUMBERS = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"];

/** @param {number} number */
export const roman = (number) => NUMBERS[number] ?? String(number);
