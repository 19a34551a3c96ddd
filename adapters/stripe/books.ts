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
  dispute: "dispute",
  dispute_reversal: "dispute_reversal",
  payout: "payout",
  payout_reversal: "payout",
  fee: "fee",
  tax: "fee",
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

/** Charges, refunds and disputes alike name the payment they belong to. */
function paymentOf(
  source: Stripe.BalanceTransaction["source"],
): string | null {
  if (typeof source !== "object" || source === null) return null;
  return "payment_intent" in source ? idOrNull(source.payment_intent) : null;
}
