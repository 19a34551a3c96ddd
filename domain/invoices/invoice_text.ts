/**
 * What we have printed on an invoice besides what the processor prints itself.
 *
 * @module
 */
import {
  type AuctionHours,
  shownWindow,
  windowText,
} from "../auction/auction.ts";
import type { Day } from "../day.ts";
import type { InvoiceVat, VatTreatment } from "../tax/invoice_vat.ts";
import type { Seller } from "./seller.ts";

/**
 * Why there is no VAT in the amount. "The words 'Reverse charge' when the
 * customer is liable" (Art. 226 (11a) of Directive 2006/112/EC).
 */
const NO_VAT: Readonly<Record<VatTreatment, string | null>> = {
  domestic: null,
  reverse_charge: "Reverse charge – VAT to be accounted for by the recipient " +
    "(Art. 196 Directive 2006/112/EC).",
  outside_scope: "Outside the scope of EU VAT: the service is supplied where " +
    "the recipient is established (Art. 44 Directive 2006/112/EC).",
};

/**
 * The one line: what was sold, and when it is shown, which is the supply. When
 * the next day closes is not known yet, so its end is the one that is planned.
 *
 * @param closedAtMs when the day was closed, which may have been early
 */
export function lineText(
  day: Day,
  hours: AuctionHours,
  closedAtMs: number | null = null,
): string {
  const shown = windowText(shownWindow(day, hours, { fromMs: closedAtMs }));
  return `Spotlight of ${day}: the featured advertisement, shown ${shown}`;
}

/** What stands at the foot: why there is no VAT, and who sells. */
export function footerText(
  { name, address, country, vatId, email }: Seller,
  { treatment }: InvoiceVat,
): string {
  const note = NO_VAT[treatment];
  return [
    ...note === null ? [] : [note],
    `${name}, ${address}, ${country}`,
    `VAT id ${vatId}, ${email}`,
  ].join("\n");
}
