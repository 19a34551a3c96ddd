import type Stripe from "stripe";
import type {
  InvoiceStatus,
  Outcome,
  Processor,
  ProcessorInvoice,
} from "../domain/payments/processor.ts";
import { codeOf, outcomeOf } from "./outcome.ts";
import { refundPayment } from "./refunds.ts";

type InvoiceCalls = Pick<
  Processor,
  | "createInvoice"
  | "addInvoiceLine"
  | "finalizeInvoice"
  | "payInvoice"
  | "voidInvoice"
  | "deleteDraftInvoice"
  | "retrieveInvoice"
  | "findInvoice"
  | "refundInvoice"
>;

/** Invoices a customer has at most when one of them is looked for. */
const INVOICES_LOOKED_AT = 100;
/** Shows how far each payment of an invoice is. */
const expand = ["payments.data.payment.payment_intent"];

/** Stripe Invoicing behind the domain's port. Amounts are cents, EUR. */
export function invoiceCalls(stripe: Stripe): InvoiceCalls {
  const { invoices } = stripe;
  return {
    createInvoice: ({ customerId, metadata }, idempotencyKey) =>
      outcomeOf(async () =>
        toInvoice(
          await invoices.create({
            customer: customerId,
            currency: "eur",
            collection_method: "charge_automatically",
            auto_advance: false,
            pending_invoice_items_behavior: "exclude",
            metadata,
          }, { idempotencyKey }),
        )
      ),
    addInvoiceLine: (line, idempotencyKey) =>
      outcomeOf(async () => {
        const { id } = await stripe.invoiceItems.create({
          customer: line.customerId,
          invoice: line.invoiceId,
          amount: line.amountCents,
          currency: "eur",
          description: line.description,
          tax_behavior: "inclusive",
        }, { idempotencyKey });
        return { id };
      }),
    finalizeInvoice: (id, idempotencyKey) =>
      outcomeOf(async () =>
        toInvoice(
          await invoices.finalizeInvoice(id, { auto_advance: false, expand }, {
            idempotencyKey,
          }),
        )
      ),
    payInvoice: (id, paymentMethodId, idempotencyKey) =>
      pay(stripe, id, paymentMethodId, idempotencyKey),
    voidInvoice: (id, idempotencyKey) =>
      outcomeOf(async () =>
        toInvoice(await invoices.voidInvoice(id, {}, { idempotencyKey }))
      ),
    deleteDraftInvoice: (id, idempotencyKey) =>
      outcomeOf(async () => {
        await invoices.del(id, {}, { idempotencyKey });
        return { id };
      }),
    retrieveInvoice: (id) =>
      outcomeOf(async () => toInvoice(await invoices.retrieve(id, { expand }))),
    findInvoice: (customer, { name, value }) =>
      outcomeOf(async () => {
        const { data } = await invoices.list({
          customer,
          limit: INVOICES_LOOKED_AT,
        });
        const found = data.find(({ metadata }) => metadata?.[name] === value);
        return found === undefined ? null : toInvoice(found);
      }),
    refundInvoice: (id, idempotencyKey) =>
      outcomeOf(() => refund(stripe, id, idempotencyKey)),
  };
}

/**
 * A repeat gets the first answer again. When that was "processing", it may have
 * been decided long ago, so the invoice is looked at as it stands now.
 */
async function pay(
  { invoices }: Stripe,
  id: string,
  paymentMethodId: string,
  idempotencyKey: string,
): Promise<Outcome<ProcessorInvoice>> {
  const asked = await outcomeOf(async () => {
    const answered = await invoices.pay(id, {
      payment_method: paymentMethodId,
      off_session: true,
      expand,
    }, { idempotencyKey });
    return isProcessing(answered)
      ? await invoices.retrieve(id, { expand })
      : answered;
  });
  if (!asked.ok) return asked;
  const error = asked.value.status === "open" ? refusalOf(asked.value) : null;
  if (error === null) return { ok: true, value: toInvoice(asked.value) };
  return { ok: false, code: codeOf(error), message: error.message ?? "" };
}

async function refund(
  stripe: Stripe,
  invoiceId: string,
  idempotencyKey: string,
): Promise<{ id: string }> {
  const { data } = await stripe.invoicePayments.list({
    invoice: invoiceId,
    status: "paid",
    limit: 1,
  });
  const intent = data[0]?.payment.payment_intent;
  if (intent === undefined) throw new Error(`${invoiceId} has no payment`);
  const intentId = typeof intent === "string" ? intent : intent.id;
  return await refundPayment(stripe, intentId, idempotencyKey);
}

function toInvoice(invoice: Stripe.Invoice): ProcessorInvoice {
  return {
    id: invoice.id,
    status: (invoice.status ?? "draft") as InvoiceStatus,
    totalCents: invoice.total,
    amountPaidCents: invoice.amount_paid,
    number: invoice.number,
    paymentProcessing: isProcessing(invoice),
  };
}

function isProcessing(invoice: Stripe.Invoice): boolean {
  return intentsOf(invoice).some(({ status }) => status === "processing");
}

/** Why the last attempt to pay took no money; null while none has failed. */
function refusalOf(
  invoice: Stripe.Invoice,
): Stripe.PaymentIntent.LastPaymentError | null {
  const refused = intentsOf(invoice).find((intent) =>
    intent.status === "requires_payment_method" &&
    intent.last_payment_error !== null
  );
  return refused?.last_payment_error ?? null;
}

function intentsOf(invoice: Stripe.Invoice): Stripe.PaymentIntent[] {
  return (invoice.payments?.data ?? []).flatMap(({ payment }) => {
    const intent = payment.payment_intent;
    return typeof intent === "object" ? [intent] : [];
  });
}
