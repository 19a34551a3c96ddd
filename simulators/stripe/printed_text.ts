/**
 * What printed invoices and credit notes say, line by line.
 *
 * @module
 */

import type { Seller } from "./account.ts";
import type { Address, CreditNote, Invoice, Tax, TaxRate } from "./objects.ts";

/** What a printed document needs besides itself. */
export interface PrintSetting {
  seller: Seller;
  /** The rate with this id. */
  rateOf: (id: string) => TaxRate | undefined;
}

const REVERSE_CHARGE = "Reverse charge: VAT to be accounted for by the " +
  "recipient (Art. 196 Directive 2006/112/EC)";

/** What an invoice says. */
export function invoiceText(
  invoice: Invoice,
  setting: PrintSetting,
): string[] {
  const { status_transitions: at } = invoice;
  return [
    `Invoice ${invoice.number}`,
    `Date of issue: ${day(at.finalized_at)}`,
    ...partiesText(invoice, setting.seller),
    "",
    ...invoice.lines.data.map((line) =>
      `${line.description ?? "Item"}: ${euros(line.amount)}`
    ),
    "",
    `Excluding tax: ${euros(invoice.total_excluding_tax)}`,
    ...taxText(invoice.total_taxes, setting),
    `Total: ${euros(invoice.total)}`,
    ...reverseChargeText(invoice),
    ...(invoice.description === null ? [] : ["", invoice.description]),
    ...(invoice.footer === null ? [] : ["", ...invoice.footer.split("\n")]),
  ];
}

/** What a credit note says; it names the invoice that it corrects. */
export function creditNoteText(
  note: CreditNote,
  invoice: Invoice,
  setting: PrintSetting,
): string[] {
  const { finalized_at } = invoice.status_transitions;
  return [
    `Credit note ${note.number}`,
    `Date of issue: ${day(note.effective_at)}`,
    `Corrects invoice ${invoice.number} of ${day(finalized_at)}`,
    ...partiesText(invoice, setting.seller),
    "",
    ...note.lines.data.map((line) =>
      `${line.description ?? "Item"}: ${euros(line.amount)}`
    ),
    ...invoice.lines.data.map((line) => `For: ${line.description ?? "Item"}`),
    "",
    `Excluding tax: ${euros(note.total_excluding_tax)}`,
    ...taxText(note.total_taxes, setting),
    `Total credited: ${euros(note.total)}`,
    ...reverseChargeText(invoice),
    ...(note.memo === null ? [] : ["", note.memo]),
  ];
}

function partiesText(invoice: Invoice, seller: Seller): string[] {
  return [
    "",
    `From: ${seller.name}`,
    ...seller.address,
    seller.country,
    ...(seller.vatId === null ? [] : [`VAT id: ${seller.vatId}`]),
    ...(seller.email === null ? [] : [seller.email]),
    "",
    `To: ${invoice.customer_name ?? ""}`,
    ...addressText(invoice.customer_address),
    ...(invoice.customer_email === null ? [] : [invoice.customer_email]),
    ...invoice.customer_tax_ids.map(({ value }) => `VAT id: ${value}`),
  ];
}

function taxText(taxes: Tax[], { rateOf }: PrintSetting): string[] {
  return taxes.map((tax) => {
    const rate = rateOf(tax.tax_rate_details.tax_rate);
    const isDue = tax.taxability_reason === "standard_rated";
    const percentage = isDue ? rate?.percentage ?? 0 : 0;
    return `${rate?.display_name ?? "Tax"} ${percentage}% on ` +
      `${euros(tax.taxable_amount)} (${tax.taxability_reason}): ` +
      euros(tax.amount);
  });
}

function reverseChargeText({ customer_tax_exempt }: Invoice): string[] {
  return customer_tax_exempt === "reverse" ? [REVERSE_CHARGE] : [];
}

function addressText(address: Address | null): string[] {
  if (address === null) return [];
  const { line1, line2, postal_code, city, state, country } = address;
  const town = [postal_code, city].filter(Boolean).join(" ");
  return [line1, line2, town, state, country].flatMap((line) => line || []);
}

function euros(cents: number): string {
  return `EUR ${(cents / 100).toFixed(2)}`;
}

function day(seconds: number | null): string {
  if (seconds === null) return "";
  return new Date(seconds * 1_000).toISOString().slice(0, 10);
}
