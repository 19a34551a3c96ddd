import type Stripe from "stripe";
import type {
  BalanceTransaction,
  BooksProcessor,
} from "../../domain/payments/processor_books.ts";
import { outcomeOf } from "./outcome.ts";
import { idOf, idOrNull, pageOf, pageParams } from "./pages.ts";

/** Reporting categories that the domain's books know. */
const TYPES: Readonly<Record<string, BalanceTransaction["type"]>> = {
  charge: "charge",
  refund: "refund",
  refund_failure: "refund_failure",
  dispute: "dispute",
  dispute_reversal: "dispute_reversal",
  payout: "payout",
  payout_reversal: "payout",
  fee: "fee",
  tax: "fee",
  // Between our own bank account and our balance, as payouts are.
  topup: "payout",
  topup_reversal: "payout",
  transfer: "transfer",
  transfer_reversal: "transfer_reversal",
};

/** The movements of the balance behind the domain's port. Cents. */
export function booksCalls({ balanceTransactions }: Stripe): BooksProcessor {
  return {
    listBalanceTransactions: (createdMs, cursor, limit) =>
      outcomeOf(() =>
        balanceTransactions.list({
          ...pageParams(createdMs, cursor, limit),
          expand: ["data.source"],
        }), pageOf(toTransaction)),
  };
}

function toTransaction(
  transaction: Stripe.BalanceTransaction,
): BalanceTransaction {
  const { id, source } = transaction;
  return {
    id,
    type: TYPES[transaction.reporting_category] ?? "other",
    amountCents: transaction.amount,
    paymentId: paymentOf(source),
    sourceId: source === null ? id : idOf(source),
    createdAtMs: transaction.created * 1_000,
  };
}

/**
 * Charges, refunds and disputes alike name the payment they belong to; what came
 * back of a transfer names that, and a transfer is the payment itself.
 */
function paymentOf(
  source: Stripe.BalanceTransaction["source"],
): string | null {
  if (typeof source !== "object" || source === null) return null;
  if (source.object === "transfer") return source.id;
  if (source.object === "transfer_reversal") return idOf(source.transfer);
  return "payment_intent" in source ? idOrNull(source.payment_intent) : null;
}
