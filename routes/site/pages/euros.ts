/**
 * Amounts as people write and read them. Cents are whole numbers throughout;
 * nothing is multiplied that has a fraction.
 *
 * @module
 */
import { showEuros } from "../../../domain/text/euros.ts";

export {
  showAmount,
  showEuros,
  typedEuros,
} from "../../../domain/text/euros.ts";

/** Digits before the point: far more than any amount that is allowed. */
const EUROS = /^(\d{1,9})(?:[.,](\d{1,2}))?$/;

/** What an amount has to look like, as the end of a sentence. */
export const EUROS_WANTED = "an amount in euros such as 12.50";

/**
 * Reads an amount in euros as integer cents: `12`, `12.5`, `12.50` or `12,50`.
 * Null for anything else, separated thousands included: `1,000` may mean one
 * euro or a thousand.
 */
export function parseEuros(text: string): number | null {
  const [, whole, fraction = ""] = EUROS.exec(text) ?? [];
  if (whole === undefined) return null;
  return Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
}

/** Cents that may be negative, as a page shows them: `−EUR 12.50`. */
export function signedEuros(cents: number): string {
  return cents < 0 ? `\u2212${showEuros(-cents)}` : showEuros(cents);
}
