import type { InvoiceStatus } from "../../../domain/invoices/invoice_status.ts";

/** How an invoice stands, in plain words. */
export const STATUS_WORDS: Readonly<Record<InvoiceStatus, string>> = {
  open: "To be paid",
  paid: "Paid",
  refund_pending: "The money is on its way back to you",
  refunded: "Paid back",
  charged_back: "Your bank took the money back",
  uncollectible: "Not collected",
  void: "Cancelled, nothing to pay",
};

/** What happens with one that needs a word more; null where none does. */
export const STATUS_HINTS: Readonly<Record<InvoiceStatus, string | null>> = {
  open: "The card of your bid is being charged. There is nothing to do.",
  paid: null,
  refund_pending: "It may take your bank some days to show it.",
  refunded: null,
  charged_back: null,
  uncollectible: null,
  void: "The card was refused, or the bid no longer stood, so it did not win.",
};
