import Stripe from "stripe";

/**
 * Gives back all that a payment still holds. That it was given back already is
 * what was wanted, as when a repeat comes after its key was forgotten.
 *
 * @throws {Stripe.errors.StripeError} when the refund was not made, or nobody
 * knows whether it was
 */
export async function refundPayment(
  { refunds }: Stripe,
  paymentIntentId: string,
  idempotencyKey: string,
): Promise<{ id: string }> {
  try {
    const { id } = await refunds.create(
      { payment_intent: paymentIntentId },
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

function isRefundedAlready(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError &&
    error.code === "charge_already_refunded";
}
