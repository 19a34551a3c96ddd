/**
 * Ids of the shape the Stripe API gives, from an injected source of chance.
 *
 * @module
 */

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * Random letters and digits.
 *
 * @param random numbers from 0 up to but not 1
 * @param length how many; eight come from one number
 */
export function randomText(random: () => number, length: number): string {
  let text = "";
  while (text.length < length) {
    let number = Math.floor(random() * 62 ** 8);
    for (let i = 0; i < 8; i++) {
      text += DIGITS[number % 62];
      number = Math.floor(number / 62);
    }
  }
  return text.slice(0, length);
}

/**
 * A new id: random, so that nobody guesses it, with the object's running
 * number behind it, so that no source of chance can repeat one.
 */
export function formatId(
  prefix: string,
  random: () => number,
  sequence: number,
): string {
  let tail = "";
  for (let rest = sequence; tail.length < 8; rest = Math.floor(rest / 62)) {
    tail = (DIGITS[rest % 62] ?? "0") + tail;
  }
  return `${prefix}_${randomText(random, 16)}${tail}`;
}
