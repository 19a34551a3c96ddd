/**
 * How the VAT of a company's invoice is dealt with. The amount is what was bid
 * in every case, with the VAT that is due in it (contract §2.5). See
 * decision 0135; it needs the operator's tax advice.
 *
 * @module
 */
import type { Account } from "../accounts/account.ts";
import { isEuCountry } from "./countries.ts";
import { invariant } from "../invariant.ts";
import type { ContainedVat } from "../payments/processor.ts";
import { containedCents, countedAs, rateOf } from "./vat.ts";

/** Who owes VAT on an invoice, and to whom. */
export type VatTreatment = "domestic" | "reverse_charge" | "outside_scope";

/** The treatment with the rate that it means. */
export interface InvoiceVat {
  treatment: VatTreatment;
  /** Null where no VAT of the Union is due by anybody. */
  contained: ContainedVat | null;
}

/**
 * The VAT of what is sold to a company: the rate of the seller's own country
 * there and wherever nobody proved to be a business, the recipient's own
 * business in another member state with a verified VAT id, none outside the
 * Union.
 *
 * @param buyer onboarded
 * @param sellerCountry ISO 3166-1 alpha-2; outside the Union no VAT of it is due
 */
export function invoiceVatOf(
  { company, vatStatus }: Pick<Account, "company" | "vatStatus">,
  sellerCountry: string,
): InvoiceVat {
  invariant(company !== null, "an invoice is for a company");
  const country = countedAs(company.country);
  const own = countedAs(sellerCountry);
  if (!isEuCountry(own) || !isEuCountry(country)) {
    return { treatment: "outside_scope", contained: null };
  }
  if (country !== own && vatStatus === "valid") {
    // A rate of nothing leaves the amount what it is, whoever computes it.
    const contained = { country: own, rate: 0 };
    return { treatment: "reverse_charge", contained };
  }
  const contained = { country: own, rate: rateOf(own) };
  return { treatment: "domestic", contained };
}

/** Whether two invoices are dealt with alike. */
export function isSameVat(a: InvoiceVat, b: InvoiceVat): boolean {
  return a.treatment === b.treatment &&
    a.contained?.country === b.contained?.country &&
    a.contained?.rate === b.contained?.rate;
}

/** The processor may round the half of a cent the other way. */
export function hasExpectedVat(
  { totalCents, taxCents }: { totalCents: number; taxCents: number },
  vat: InvoiceVat,
): boolean {
  return Math.abs(taxCents - invoiceVatCents(totalCents, vat)) <= 1;
}

/** The VAT in an amount, cents, rounded half up. */
export function invoiceVatCents(
  grossCents: number,
  { contained }: InvoiceVat,
): number {
  return contained === null ? 0 : containedCents(grossCents, contained.rate);
}
