import type { Processor } from "../../domain/payments/processor.ts";
import { download } from "./download.ts";
import { expand, toInvoice, toListed } from "./invoice_shape.ts";
import { outcomeOf } from "./outcome.ts";
import { pageOf, pageParams } from "./pages.ts";
import type { StripeClient } from "./stripe_client.ts";

type InvoiceReads = Pick<
  Processor,
  | "retrieveInvoice"
  | "listInvoices"
  | "downloadInvoicePdf"
>;

/** Lists can't be expanded as far as one invoice: they name payments alone. */
const expandList = ["data.payments"];

/** Looking at invoices, behind the domain's port. Amounts are cents. */
export function invoiceReads(stripe: StripeClient): InvoiceReads {
  const { invoices } = stripe;
  return {
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
