import Stripe from "stripe";
import { ProcessorUncertain } from "../../domain/failure.ts";
import type {
  Processor,
  ProcessorPayment,
  ProcessorPaymentStatus,
} from "../../domain/payments/processor.ts";
import { outcomeOf } from "./outcome.ts";
import type { ProcessorRefund } from "../../domain/payments/processor_credit_notes.ts";
import { PAGE_MAX, wholeList } from "./pages.ts";

type PaymentCalls = Pick<
  Processor,
  | "chargeSharedToken"
  | "retrievePayment"
  | "findPayment"
  | "findInvoiceOfPayment"
  | "cancelPayment"
  | "refundPayment"
  | "listRefunds"
>;

/** Shared payment tokens are known to preview versions of the API only. */
const SHARED_TOKEN_VERSION = "2026-04-22.preview";
/** Payments in a page of a list, and pages looked at: 1,000 payments. */
const PAGE = 100;
const PAGES = 10;
/** Tells the country of the card. */
const expand = ["latest_charge"];

/** Payments without an invoice behind the domain's port. Cents, EUR. */
export function paymentCalls(stripe: Stripe): PaymentCalls {
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
        const invoice = data[0]?.invoice;
        if (invoice === undefined) return null;
        return { id: typeof invoice === "string" ? invoice : invoice.id };
      }),
    cancelPayment: (id, idempotencyKey) =>
      outcomeOf(
        () => paymentIntents.cancel(id, { expand }, { idempotencyKey }),
        toPayment,
      ),
    refundPayment: (id, idempotencyKey, amountCents) =>
      outcomeOf(() => refundPayment(stripe, id, idempotencyKey, amountCents)),
    listRefunds: (id) => outcomeOf(() => refundsOf(stripe, id)),
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
  let after: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const { data, has_more } = await paymentIntents.list({
      created,
      limit: PAGE,
      expand: ["data.latest_charge"],
      ...(after === undefined ? {} : { starting_after: after }),
    });
    const found = data.find(({ metadata }) => metadata[name] === value);
    if (found !== undefined) return toPayment(found);
    after = data.at(-1)?.id;
    if (!has_more || after === undefined) return null;
  }
  throw new ProcessorUncertain("Too many payments to look through");
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
 * Gives back so much of a payment, or all that was not yet. That all it was given back already is
 * what was wanted, as when a repeat comes after its key was forgotten.
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
    .filter(({ status }) => status !== "failed" && status !== "canceled")
    .map(({ id, amount }) => ({ id, amountCents: amount }))
    .toReversed();
}

function isRefundedAlready(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError &&
    error.code === "charge_already_refunded";
}
