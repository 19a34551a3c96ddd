import type { MailContent } from "../mail/mail_content.ts";
import { PAGES } from "../pages.ts";
import { refundedCents } from "../payments/returned.ts";
import type { Settings } from "../ports.ts";
import { type ShownWindow, windowText } from "../auction/auction.ts";
import { showEuros } from "../text/euros.ts";
import type { Invoice } from "./invoice.ts";

/** What a refund changes of an invoice, and what the mail names of it. */
type Refunded = Pick<
  Invoice,
  "number" | "day" | "refunds" | "creditNotes" | "refundReason" | "wasSold"
>;

/** Tells a buyer what was given back, and why. */
export function refundMail(
  to: string,
  { before, after, shown }: {
    before: Refunded;
    after: Refunded;
    /** When the winner of its day is on show. */
    shown: ShownWindow;
  },
  { baseUrl }: Pick<Settings, "baseUrl">,
): MailContent<"money_refunded"> {
  const refunds = after.refunds.slice(before.refunds.length);
  const notes = after.creditNotes.slice(before.creditNotes.length);
  return {
    kind: "money_refunded",
    to,
    subject: `Money back for invoice ${after.number}`,
    parts: [
      after.refundReason === "late_payment"
        ? "You paid for a bid that was passed over, so we gave it back."
        : "We gave back money that you paid.",
      {
        facts: [
          ["Given back", showEuros(refundedCents({ refunds }))],
          ["Invoice", after.number],
          ["Spotlight of", after.day],
          ...after.wasSold ? [["Shown", windowText(shown)]] as const : [],
          ...notes.map(({ number }) => ["Credit note", number] as const),
        ],
      },
      "It goes to the card that was charged. Banks take up to ten days to " +
      "show it.",
      {
        button: "See the invoice",
        url: `${baseUrl}${PAGES.invoices}/${encodeURIComponent(after.number)}`,
      },
    ],
  };
}
