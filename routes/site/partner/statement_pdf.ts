import type { Statement } from "../../../domain/partners/partner_balance.ts";
import { isoTime } from "../../../domain/day.ts";
import type { Seller } from "../../../domain/invoices/seller.ts";
import { pdfOf } from "../../pages/pdf.ts";
import { signedEuros } from "../../../domain/text/euros.ts";
import { monthsOf } from "./partner_tables.tsx";

/** What a statement says, printed: the same bytes whenever it is asked for. */
export function statementPdf(
  statement: Statement,
  { partner, seller }: {
    /** Who is paid, such as its address. */
    partner: string;
    seller: Seller;
  },
): Uint8Array<ArrayBuffer> {
  const { number, amountCents, releasedAtMs } = statement;
  return pdfOf({
    title: `Commission statement ${number}`,
    lines: [
      `Date: ${isoTime(releasedAtMs).slice(0, 10)}`,
      "",
      `From: ${seller.name}`,
      `${seller.address}, VAT id ${seller.vatId}`,
      "",
      `To: ${partner}`,
      "",
      `Commission of the Spotlight partner programme, ${monthsOf(statement)}`,
      "10 % of the net amount of paid invoices, less what was taken back,",
      "in whole steps; the rest is in the next statement.",
      "",
      `Total: ${signedEuros(amountCents)}`,
      "",
      "It is paid when you ask for a payout, of EUR 50.00 at least.",
      "This is a statement and no invoice: the tax on what you earn is yours.",
    ],
  });
}
