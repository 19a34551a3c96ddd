/**
 * Giving money back.
 *
 * @module
 */

import { moveBalance } from "./balance.ts";
import type { Call } from "./call.ts";
import { closeInquiries, leftOf, mayTurn } from "./dispute.ts";
import { invalidRequest } from "./errors.ts";
import type { Charge, Metadata, Refund } from "./objects.ts";

/** What is known of a refund besides its amount. */
export interface RefundDetails {
  reason?: string | undefined;
  metadata?: Metadata;
}

/** The cents of a charge that nobody was given back yet. */
export function unrefunded(charge: Charge): number {
  return charge.amount - charge.amount_refunded;
}

/**
 * Gives back an amount of a charge.
 *
 * @throws {ApiError} 400 when that much is not left, or the payer's bank has
 * taken it back already
 */
export function refundCharge(
  call: Call,
  charge: Charge,
  amount: number,
  details: RefundDetails = {},
): Refund {
  checkRefundable(call, charge, amount);
  const id = call.newId("re");
  const moved = moveBalance(call, {
    amount: -amount,
    description: `Refund of ${charge.id}`,
    reporting_category: "refund",
    source: id,
  });
  const refund = call.put(
    "refund",
    newRefund(call, charge, { id, amount, moved: moved.id, details }),
  );
  const refunded = call.put("charge", {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === unrefunded(charge),
  });
  call.emit("refund.created", refund);
  call.emit("charge.refunded", refunded);
  if (refunded.refunded) closeInquiries(call, charge.id);
  return refund;
}

function checkRefundable(call: Call, charge: Charge, amount: number): void {
  if (unrefunded(charge) === 0) {
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, {
      code: "charge_already_refunded",
    });
  }
  // What a bank took for good leaves the rest to be given back.
  const left = leftOf(call, charge);
  const disputes = call.filed("dispute", "charge", charge.id);
  if (left < 1 || disputes.some((dispute) => mayTurn(dispute, "lost"))) {
    throw invalidRequest(
      `Charge ${charge.id} has been charged back; cannot issue a refund.`,
      { code: "charge_disputed" },
    );
  }
  if (amount <= left) return;
  throw invalidRequest(
    `Refund amount (${amount} cents) is greater than unrefunded amount on ` +
      `charge (${left} cents)`,
    { param: "amount" },
  );
}

function newRefund(
  call: Call,
  charge: Charge,
  { id, amount, moved, details }: {
    id: string;
    amount: number;
    moved: string;
    details: RefundDetails;
  },
): Refund {
  return {
    id,
    object: "refund",
    amount,
    balance_transaction: moved,
    charge: charge.id,
    created: call.now,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata: details.metadata ?? {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: details.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  };
}

/**
 * Has a refund come back, as when the payer's card was closed meanwhile: the
 * money is ours again, and the refund is none any more.
 *
 * @throws {RangeError} when it has come back already
 */
export function failRefund(call: Call, refund: Refund): Refund {
  const { id, amount } = refund;
  if (refund.status === "failed") {
    throw new RangeError(`${id} has come back already`);
  }
  const moved = moveBalance(call, {
    amount,
    description: `Refund failure of ${id}`,
    reporting_category: "refund_failure",
    source: id,
  });
  const failed = call.put("refund", {
    ...refund,
    status: "failed",
    failure_balance_transaction: moved.id,
    failure_reason: "expired_or_canceled_card",
  });
  const charge = call.get("charge", refund.charge, "charge");
  call.put("charge", {
    ...charge,
    amount_refunded: charge.amount_refunded - amount,
    refunded: false,
  });
  call.emit("refund.updated", failed, refund);
  call.emit("refund.failed", failed);
  return failed;
}
