import { heldOf, keptOf, refundedCents } from "../payments/returned.ts";
import { advance } from "../state_machine.ts";
import { type Invoice, INVOICE_MONEY, type InvoiceMoney } from "./invoice.ts";

/** What of an invoice's money nobody has given back for good, cents. */
export function keptCents(
  invoice: Pick<Invoice, "totalCents" | "refunds" | "lostCents">,
): number {
  return keptOf(invoice.totalCents, invoice);
}

/** What the processor still holds for us of an invoice's money, cents. */
export function heldCents(invoice: Invoice): number {
  return heldOf(invoice.totalCents, invoice);
}

/** The invoice once it is known what moved: its money follows the amounts. */
export function withMoneyNow(invoice: Invoice): Invoice {
  const money = moneyOf(invoice);
  return money === invoice.money
    ? invoice
    : { ...invoice, money: advance(INVOICE_MONEY, invoice.money, money) };
}

function moneyOf(invoice: Invoice): InvoiceMoney {
  const { money, refundReason } = invoice;
  const isAllGone = keptCents(invoice) === 0;
  switch (money) {
    case "none":
    case "unearned":
      return money;
    case "sold":
      return isAllGone ? "written_off" : "sold";
    case "refunding":
    case "refund_failed":
      if (!isAllGone) return money;
      return refundedCents(invoice) > 0 ? "refunded" : "written_off";
    case "refunded":
      return isAllGone ? "refunded" : "refunding";
    case "written_off":
      if (isAllGone) return "written_off";
      return refundReason === null ? "sold" : "refunding";
  }
}
