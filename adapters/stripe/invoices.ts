import type Stripe from "stripe";
import type {
  InvoiceProcessor,
  ProcessorInvoice,
} from "../../domain/payments/processor.ts";
import type { Outcome } from "../../domain/payments/outcome.ts";
import { download } from "./download.ts";
import {
  expand,
  intentsOf,
  isProcessing,
  toInvoice,
  toListed,
} from "./invoice_shape.ts";
import { codeOf, outcomeOf } from "./outcome.ts";
import { pageOf, pageParams } from "./pages.ts";
import type { StripeClient } from "./stripe_client.ts";
import { taxRateOf } from "./tax.ts";

/** Lists can't be expanded as far as one invoice: they name payments alone. */
const expandList = ["data.payments"];

/**
 * Stripe Invoicing behind the domain's port: making, paying and reading
 * invoices. Amounts are cents, EUR.
 */
export function invoiceCalls(stripe: StripeClient): InvoiceProcessor {
  const { invoices } = stripe;
  return {
    createInvoice: ({ customerId, metadata, footer }, idempotencyKey) =>
      outcomeOf(() =>
        invoices.create({
          customer: customerId,
          currency: "eur",
          collection_method: "charge_automatically",
          auto_advance: false,
          pending_invoice_items_behavior: "exclude",
          // Its customer may open it at the processor while it is to be paid,
          // and must not begin a transfer there that takes days.
          payment_settings: { payment_method_types: ["card"] },
          metadata,
          ...(footer === undefined ? {} : { footer }),
        }, { idempotencyKey }), toInvoice),
    addInvoiceLine: (line, idempotencyKey) =>
      outcomeOf(() => addLine(stripe, line, idempotencyKey)),
    finalizeInvoice: (id, idempotencyKey) =>
      outcomeOf(
        () =>
          invoices.finalizeInvoice(id, { auto_advance: false, expand }, {
            idempotencyKey,
          }),
        toInvoice,
      ),
    payInvoice: (id, paymentMethodId, idempotencyKey) =>
      pay(stripe, id, paymentMethodId, idempotencyKey),
    voidInvoice: (id, idempotencyKey) =>
      outcomeOf(
        () => invoices.voidInvoice(id, { expand }, { idempotencyKey }),
        toInvoice,
      ),
    deleteDraftInvoice: (id, idempotencyKey) =>
      outcomeOf(async () => {
        await invoices.del(id, {}, { idempotencyKey });
        return { id };
      }),
    retrieveInvoice: (id) =>
      outcomeOf(() => invoices.retrieve(id, { expand }), toInvoice),
    listInvoices: (createdMs, cursor, limit) =>
      outcomeOf(() =>
        invoices.list({
          ...pageParams(createdMs, cursor, limit),
          expand: expandList,
        }), pageOf(toListed)),
    downloadInvoicePdf: async (id, maxBytes) => {
      const asked = await outcomeOf(() => invoices.retrieve(id));
      if (!asked.ok) return asked;
      return await download(stripe, asked.value.invoice_pdf, maxBytes);
    },
  };
}

async function addLine(
  stripe: Stripe,
  line: Parameters<InvoiceProcessor["addInvoiceLine"]>[0],
  idempotencyKey: string,
): Promise<{ id: string }> {
  const { vat } = line;
  const rates = vat === undefined
    ? {}
    : { tax_rates: [await taxRateOf(stripe, vat)] };
  const { id } = await stripe.invoiceItems.create({
    customer: line.customerId,
    invoice: line.invoiceId,
    amount: line.amountCents,
    currency: "eur",
    description: line.description,
    tax_behavior: "inclusive",
    ...rates,
  }, { idempotencyKey });
  return { id };
}

/**
 * A repeat gets the first answer again. When that was "processing", it may have
 * been decided long ago, so the invoice is read as it is now.
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
