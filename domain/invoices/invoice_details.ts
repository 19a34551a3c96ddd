import type { PaymentMethod } from "../accounts/account.ts";
import type { Bid } from "../bids/bid.ts";
import type { Services } from "../ports.ts";
import { readAll } from "../read_all.ts";
import type { InvoiceVat } from "../tax/invoice_vat.ts";
import { type FindOwnInvoice, findOwnInvoice } from "./find_own_invoice.ts";
import type { Invoice } from "./invoice.ts";

/** An invoice with what is kept of it beside its row. */
export interface InvoiceDetails {
  invoice: Invoice;
  /** How its VAT was dealt with; null where that was not kept. */
  vat: InvoiceVat | null;
  /** The card of its bid; null where it was removed since. */
  card: PaymentMethod | null;
  /** Whether its bid has won the day, so that there is a report. */
  hasWon: boolean;
}

/**
 * One of an account's own invoices, with all that its page says.
 *
 * @throws {Refused} `not_found`; another account's is as good as none
 */
export async function readInvoiceDetails(
  services: Pick<Services, "store">,
  asked: FindOwnInvoice,
): Promise<InvoiceDetails> {
  const { store } = services;
  const invoice = await findOwnInvoice(services, asked);
  const { accountId, day, bidId } = invoice;
  const settlement = await store.settlements.find(day);
  const candidate = settlement?.candidates.find((one) => one.bidId === bidId);
  const cardId = candidate?.paymentMethodId;
  const [card = null] = cardId === undefined
    ? []
    : await store.getMany([store.paymentMethods.ref(accountId, cardId)]);
  return {
    invoice,
    vat: candidate?.vat ?? null,
    card,
    hasWon: candidate?.step === "won",
  };
}

/** How the VAT of invoices was dealt with, by their ids, where that was kept. */
export async function readVats(
  { store }: Pick<Services, "store">,
  invoices: readonly Invoice[],
): Promise<ReadonlyMap<string, InvoiceVat>> {
  const settlements = await readAll(
    store,
    invoices.map(({ day }) => store.settlements.ref(day)),
  );
  return new Map(invoices.flatMap(({ id, bidId }, at) => {
    const candidates = settlements[at]?.candidates ?? [];
    const vat = candidates.find((one) => one.bidId === bidId)?.vat;
    return vat === undefined ? [] : [[id, vat]];
  }));
}

/** The numbers of the invoices of bids, by the ids of bids that have one. */
export async function readInvoiceNumbers(
  { store }: Pick<Services, "store">,
  bids: readonly Bid[],
): Promise<ReadonlyMap<string, string>> {
  // Who is not charged has none: most bids lose.
  const decided = bids.filter(({ status }) => status !== "active");
  const settlements = await readAll(
    store,
    decided.map(({ day }) => store.settlements.ref(day)),
  );
  const charged = decided.flatMap(({ id }, at) => {
    const candidates = settlements[at]?.candidates ?? [];
    const invoiceId = candidates.find(({ bidId }) => bidId === id)?.invoiceId;
    return invoiceId ? [{ bidId: id, invoiceId }] : [];
  });
  const invoices = await readAll(
    store,
    charged.map(({ invoiceId }) => store.invoices.ref(invoiceId)),
  );
  return new Map(charged.flatMap(({ bidId }, at) => {
    const number = invoices[at]?.number;
    return number === undefined ? [] : [[bidId, number]];
  }));
}
