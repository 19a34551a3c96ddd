import Stripe from "stripe";
import type {
  PaymentProcessor,
  ProcessorPayment,
  ProcessorPaymentStatus,
} from "../../domain/payments/processor.ts";
import { outcomeOf } from "./outcome.ts";
import type {
  ProcessorRefund,
  RefundStanding,
} from "../../domain/payments/processor_credit_notes.ts";
import { idOrNull, PAGE_MAX, pageByPage, wholeList } from "./pages.ts";

/** Shared payment tokens are known to preview versions of the API only. */
const SHARED_TOKEN_VERSION = "2026-04-22.preview";
/** Tells the country of the card. */
const expand = ["latest_charge"];

/** Payments without an invoice behind the domain's port. Cents, EUR. */
export function paymentCalls(stripe: Stripe): PaymentProcessor {
  const { paymentIntents } = stripe;
  return {
    chargeSharedToken: ({ amountCents, token, metadata }, idempotencyKey) =>
      outcomeOf(() =>
        paymentIntents.create({
          amount: amountCents,
          currency: "eur",
          confirm: true,
          automatic_payment_methods: {
            enabled: true,
            allow_redirects: "never",
          },
          // The types of the pinned package do not know the token yet.
          payment_method_data: {
            shared_payment_granted_token: token,
          } as never,
          metadata,
          expand,
        }, { idempotencyKey, apiVersion: SHARED_TOKEN_VERSION }), toPayment),
    retrievePayment: (id) =>
      outcomeOf(() => paymentIntents.retrieve(id, { expand }), toPayment),
    findPayment: (metadata, createdMs) =>
      outcomeOf(() => find(stripe, metadata, createdMs)),
    findInvoiceOfPayment: (id) =>
      outcomeOf(async () => {
        const { data } = await stripe.invoicePayments.list({
          payment: { type: "payment_intent", payment_intent: id },
          limit: 1,
        });
        const invoiceId = idOrNull(data[0]?.invoice);
        return invoiceId === null ? null : { id: invoiceId };
      }),
    cancelPayment: (id, idempotencyKey) =>
      outcomeOf(
        () => paymentIntents.cancel(id, { expand }, { idempotencyKey }),
        toPayment,
      ),
    refundPayment: (id, idempotencyKey, amountCents) =>
      outcomeOf(() => refundPayment(stripe, id, idempotencyKey, amountCents)),
    listRefunds: (id) => outcomeOf(() => refundsOf(stripe, id)),
    retrieveRefund: (id) =>
      outcomeOf(() => stripe.refunds.retrieve(id), toRefundStanding),
  };
}

async function find(
  { paymentIntents }: Stripe,
  { name, value }: { name: string; value: string },
  createdMs: { from: number; until: number },
): Promise<ProcessorPayment | null> {
  const created = {
    gte: Math.floor(createdMs.from / 1_000),
    lte: Math.ceil(createdMs.until / 1_000),
  };
  const expand = ["data.latest_charge"];
  const intents = pageByPage(
    (page) => paymentIntents.list({ ...page, created, expand }),
    "Too many payments to look through",
  );
  for await (const intent of intents) {
    if (intent.metadata[name] === value) return toPayment(intent);
  }
  return null;
}

/** `requires_payment_method` is what a declined attempt leaves behind. */
const STATUSES: Readonly<Record<string, ProcessorPaymentStatus>> = {
  succeeded: "succeeded",
  canceled: "canceled",
  requires_action: "requires_action",
  requires_payment_method: "refused",
};

function toPayment(intent: Stripe.PaymentIntent): ProcessorPayment {
  const charge = intent.latest_charge;
  const card = typeof charge === "object" && charge !== null
    ? charge.payment_method_details?.card
    : undefined;
  return {
    id: intent.id,
    // Any other is on its way to one of these, so it has to be waited for.
    status: STATUSES[intent.status] ?? "processing",
    amountReceivedCents: intent.amount_received,
    metadata: intent.metadata,
    cardCountry: card?.country ?? null,
  };
}

/**
 * Gives back so much of a payment, or all that was not yet. That all of it was
 * given back already is what was wanted, as when a repeat comes after its key was
 * forgotten.
 *
 * @throws {Stripe.errors.StripeError} when the refund was not made, or nobody
 * knows whether it was
 */
async function refundPayment(
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
async function refundsOf(
  { refunds }: Stripe,
  paymentIntentId: string,
): Promise<ProcessorRefund[]> {
  const found = await refunds.list({
    payment_intent: paymentIntentId,
    limit: PAGE_MAX,
  });
  return wholeList(found, "refunds")
    .filter((refund) => !hasFailed(refund))
    .map(({ id, amount }) => ({ id, amountCents: amount }))
    .toReversed();
}

function hasFailed({ status }: Stripe.Refund): boolean {
  return status === "failed" || status === "canceled";
}

function toRefundStanding(refund: Stripe.Refund): RefundStanding {
  return {
    id: refund.id,
    amountCents: refund.amount,
    paymentId: idOrNull(refund.payment_intent),
    hasFailed: hasFailed(refund),
  };
}

function isRefundedAlready(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError &&
    error.code === "charge_already_refunded";
}
