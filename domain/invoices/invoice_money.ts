import { keptOf, refundedCents } from "../payments/returned.ts";
import { advance } from "../state_machine.ts";
import {
  type Invoice,
  INVOICE_MONEY,
  type InvoiceMoney,
  isLeftToPerson,
} from "./invoice.ts";

/** The invoice once it is known what moved: its money follows the amounts. */
export function withMoneyNow(invoice: Invoice): Invoice {
  const money = moneyOf(invoice);
  return money === invoice.money
    ? invoice
    : { ...invoice, money: advance(INVOICE_MONEY, invoice.money, money) };
}

function moneyOf(invoice: Invoice): InvoiceMoney {
  const { money, refundReason } = invoice;
  const isAllGone = keptOf(invoice.totalCents, invoice) === 0;
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
      return isAllGone ? "refunded" : owed(invoice);
    case "written_off":
      if (isAllGone) return "written_off";
      return refundReason === null ? "sold" : owed(invoice);
  }
}

/** Of money that came back: what a person was to give back, still a person is. */
function owed(invoice: Invoice): "refunding" | "refund_failed" {
  return isLeftToPerson(invoice) ? "refund_failed" : "refunding";
}
