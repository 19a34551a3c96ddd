/**
 * Amounts as people write them. Cents are whole numbers throughout;
 * nothing is multiplied that has a fraction.
 *
 * @module
 */

/** Digits before the point: far more than any amount that is allowed. */
const EUROS = /^(\d{1,9})(?:[.,](\d{1,2}))?$/;

/** The currency beside an amount, as pages write it or people do; one, at one end. */
const CURRENCY = /^(?:€|EUR)[ \u00a0]?|[ \u00a0]?(?:€|EUR)$/i;

/** What an amount has to look like, as the end of a sentence. */
export const EUROS_WANTED = "an amount in euros such as 12.50";

/**
 * Reads an amount in euros as integer cents: `12`, `12.5`, `12.50` or `12,50`, the
 * currency before or after it or left out. Null for anything else, separated
 * thousands included: `1,000` may mean one euro or a thousand.
 */
export function parseEuros(text: string): number | null {
  const [, whole, fraction = ""] = EUROS.exec(text.replace(CURRENCY, "")) ?? [];
  if (whole === undefined) return null;
  return Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
}
