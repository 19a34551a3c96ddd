import type Stripe from "stripe";
import { ProcessorUncertain } from "../../domain/failure.ts";
import type {
  ListedInvoice,
  ProcessorInvoice,
} from "../../domain/payments/processor.ts";
import { oneOf } from "./one_of.ts";
import { idOrNull } from "./pages.ts";
import { taxCentsOf } from "./tax.ts";

/** Shows how far each payment of an invoice is. */
export const expand = ["payments.data.payment.payment_intent"];

const STATUSES = ["draft", "open", "paid", "uncollectible", "void"] as const;

/**
 * An invoice as the domain sees it.
 *
 * @throws {ProcessorUncertain} when it has more payments than are shown with it:
 * one that is left out may be the one that paid
 */
export function toInvoice(invoice: Stripe.Invoice): ProcessorInvoice {
  if (invoice.payments?.has_more === true) {
    throw new ProcessorUncertain("More payments than can be read");
  }
  return { ...toListed(invoice), paymentProcessing: isProcessing(invoice) };
}

/** The same as lists show it, which tell of payments less. */
export function toListed(invoice: Stripe.Invoice): ListedInvoice {
  const { finalized_at, paid_at } = invoice.status_transitions;
  const customerId = idOrNull(invoice.customer);
  if (customerId === null) throw new TypeError(`${invoice.id} bills nobody`);
  return {
    id: invoice.id,
    status: oneOf(STATUSES, invoice.status),
    customerId,
    metadata: invoice.metadata ?? {},
    totalCents: invoice.total,
    taxCents: taxCentsOf(invoice.total_taxes),
    amountPaidCents: invoice.amount_paid,
    number: invoice.number,
    finalizedAtMs: finalized_at === null ? null : finalized_at * 1_000,
    paidAtMs: paid_at === null ? null : paid_at * 1_000,
    paymentIds: paymentIdsOf(invoice),
  };
}

/** What was paid first; the processor lists the newest first. */
function paymentIdsOf({ payments }: Stripe.Invoice): string[] {
  const tried = payments?.data ?? [];
  const paid = tried.filter(({ status }) => status === "paid");
  const others = tried.filter(({ status }) => status !== "paid");
  return [...paid, ...others].flatMap(({ payment }) =>
    idOrNull(payment.payment_intent) ?? []
  );
}

/** Whether a payment is under way that nothing was decided about. */
export function isProcessing(invoice: Stripe.Invoice): boolean {
  return intentsOf(invoice).some(({ status }) => status === "processing");
}

/** The payments that were to pay an invoice, when they were expanded. */
export function intentsOf(invoice: Stripe.Invoice): Stripe.PaymentIntent[] {
  return (invoice.payments?.data ?? []).flatMap(({ payment }) => {
    const intent = payment.payment_intent;
    return typeof intent === "object" ? [intent] : [];
  });
}
