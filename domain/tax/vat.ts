/**
 * The VAT that is contained in a price, by the country of who pays.
 *
 * @module
 */
import { isEuCountry } from "./countries.ts";
import { invariant } from "../invariant.ts";

/**
 * The standard rates of the member states, in hundredths of a percent, as they
 * are in force since 1 January 2026. Sources: the European Commission's "Taxes
 * in Europe" database by way of published tables of 2025 and 2026; the last
 * changes were Slovakia (1 January 2025), Estonia (1 July 2025) and Romania
 * (1 August 2025). To be checked every half year.
 */
export const VAT_STANDARD_RATES: Readonly<Record<string, number>> = {
  AT: 2000,
  BE: 2100,
  BG: 2000,
  CY: 1900,
  CZ: 2100,
  DE: 1900,
  DK: 2500,
  EE: 2400,
  ES: 2100,
  FI: 2550,
  FR: 2000,
  GR: 2400,
  HR: 2500,
  HU: 2700,
  IE: 2300,
  IT: 2200,
  LT: 2100,
  LU: 1700,
  LV: 2100,
  MT: 1800,
  NL: 2100,
  PL: 2300,
  PT: 2300,
  RO: 2100,
  SE: 2500,
  SI: 2200,
  SK: 2300,
};

/** Article 7 of Directive 2006/112/EC: Monaco counts as France. */
const COUNTED_AS: Readonly<Record<string, string>> = { MC: "FR" };

/** Hundredths of a percent in the whole. */
const WHOLE = 10_000;

/**
 * The VAT in an amount that a consumer pays for a service delivered over the
 * network, cents, rounded half up: the rate of the card's country. Outside the
 * European Union none is due; a card that does not say its country is taken for
 * one of the seller's. See decision 0135; it needs the operator's tax
 * advice.
 */
export function vatContainedCents(
  grossCents: number,
  cardCountry: string | null,
  sellerCountry: string,
): number {
  invariant(Number.isSafeInteger(grossCents) && grossCents >= 0, "whole cents");
  const country = countedAs(cardCountry ?? sellerCountry);
  return containedCents(grossCents, rateOf(country));
}

/** The VAT in an amount at a rate, cents, rounded half up. */
export function containedCents(grossCents: number, rate: number): number {
  return Math.round(grossCents * rate / (WHOLE + rate));
}

/** The country whose VAT law holds in a country. */
export function countedAs(country: string): string {
  return COUNTED_AS[country] ?? country;
}

/** The standard rate, hundredths of a percent; 0 outside the Union. */
export function rateOf(country: string): number {
  if (!isEuCountry(country)) return 0;
  const rate = VAT_STANDARD_RATES[country];
  invariant(rate !== undefined, `the VAT rate of ${country} is known`);
  return rate;
}
