import type { Invoice } from "./invoice.ts";

/** How an invoice stands, for whom it is. */
export type InvoiceStatus =
  | "open"
  | "paid"
  /** The money is on its way back. */
  | "refund_pending"
  | "refunded"
  /** A dispute took the money. */
  | "charged_back"
  /** It is not asked for any more. */
  | "uncollectible"
  /** Nothing was ever to be paid. */
  | "void";

/** How an invoice stands: what became of its money, else its own state. */
export function invoiceStatus(
  { state, money }: Pick<Invoice, "state" | "money">,
): InvoiceStatus {
  switch (money) {
    case "none":
    case "sold":
      return state;
    case "unearned":
    case "refunding":
    case "refund_failed":
      return "refund_pending";
    case "refunded":
      return "refunded";
    case "written_off":
      return "charged_back";
  }
}
