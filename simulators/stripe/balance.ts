/**
 * The account's balance: every movement of money is written down once.
 *
 * @module
 */

import type { Call } from "./call.ts";
import type { BalanceTransaction } from "./objects.ts";

type Movement =
  & Pick<BalanceTransaction, "amount" | "reporting_category" | "source">
  & { description: string; fee?: number };

const TYPES = {
  charge: "charge",
  refund: "refund",
  refund_failure: "refund_failure",
  dispute: "adjustment",
  dispute_reversal: "adjustment",
  topup: "topup",
  transfer: "transfer",
  transfer_reversal: "transfer_refund",
} as const;

/** Writes a movement down; money that comes in is positive. */
export function moveBalance(
  call: Call,
  { amount, description, fee = 0, ...moved }: Movement,
): BalanceTransaction {
  return call.put("balance_transaction", {
    id: call.newId("txn"),
    object: "balance_transaction",
    amount,
    available_on: call.now,
    balance_type: "payments",
    created: call.now,
    currency: "eur",
    description,
    exchange_rate: null,
    fee,
    fee_details: fee === 0 ? [] : [{
      amount: fee,
      application: null,
      currency: "eur",
      description: "Stripe processing fees",
      type: "stripe_fee",
    }],
    net: amount - fee,
    reporting_category: moved.reporting_category,
    source: moved.source,
    status: "available",
    type: TYPES[moved.reporting_category],
  });
}
