import Stripe from "stripe";
import type { ProcessorRefund } from "../../domain/payments/processor_credit_notes.ts";
import { PAGE_MAX, wholeList } from "./pages.ts";

/**
 * Gives back so much of a payment, or all that was not yet. That all it was given back already is
 * what was wanted, as when a repeat comes after its key was forgotten.
 *
 * @throws {Stripe.errors.StripeError} when the refund was not made, or nobody
 * knows whether it was
 */
export async function refundPayment(
  { refunds }: Stripe,
  paymentIntentId: string,
  idempotencyKey: string,
  amountCents?: number,
): Promise<{ id: string }> {
  try {
    const { id } = await refunds.create(
      {
        payment_intent: paymentIntentId,
        ...(amountCents === undefined ? {} : { amount: amountCents }),
      },
      { idempotencyKey },
    );
    return { id };
  } catch (error) {
    if (!isRefundedAlready(error)) throw error;
    const { data: [last] } = await refunds.list({
      payment_intent: paymentIntentId,
      limit: 1,
    });
    if (last === undefined) throw error;
    return { id: last.id };
  }
}

/** Refunds that took, or still take, money back to the payer. */
export async function refundsOf(
  { refunds }: Stripe,
  paymentIntentId: string,
): Promise<ProcessorRefund[]> {
  const found = await refunds.list({
    payment_intent: paymentIntentId,
    limit: PAGE_MAX,
  });
  return wholeList(found, "refunds")
    .filter(({ status }) => status !== "failed" && status !== "canceled")
    .map(({ id, amount }) => ({ id, amountCents: amount }))
    .toReversed();
}

function isRefundedAlready(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError &&
    error.code === "charge_already_refunded";
}
