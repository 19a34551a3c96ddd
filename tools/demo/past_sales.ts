/**
 * What the bidders of past days were charged: real invoices at the processor,
 * made at the moments at which settlement would have made them.
 *
 * @module
 */
import { footerText, lineText } from "../../domain/invoices/invoice_text.ts";
import {
  isFinalized,
  newInvoice,
} from "../../domain/invoices/record_invoice.ts";
import { invariant } from "../../domain/invariant.ts";
import type { ListedInvoice } from "../../domain/payments/processor.ts";
import { readUpTo } from "../../domain/payments/read_up_to.ts";
import type { Services } from "../../domain/ports.ts";
import type { Candidate } from "../../domain/settlement/settlement.ts";
import { type InvoiceVat, invoiceVatOf } from "../../domain/tax/invoice_vat.ts";
import type { DemoAccount } from "./accounts.ts";
import type { DemoDay, PastInvoice } from "./history.ts";
import { done } from "./save_cards.ts";

/** Has the processor take a moment gone by for now while something runs. */
export type AtMoment = <T>(atMs: number, run: () => Promise<T>) => Promise<T>;

/** What charges past days. */
export interface PastSales {
  /** The days with the invoices of those who were charged, oldest first. */
  sell(days: readonly DemoDay[]): Promise<DemoDay[]>;
  /** Takes away the cards that are none any more. */
  end(): Promise<void>;
}

/** More than a demo's history has. */
const INVOICES_MAX = 10_000;
/** A refused card takes so long, ms; then comes who has won. */
const REFUSED_AFTER_MS = 500;

/**
 * Charges past days at a processor whose clock can be told. What an attempt
 * that crashed has charged already is taken over.
 *
 * @throws {ProcessorUncertain} when the processor gives no definite answer
 */
export async function openPastSales(
  services: Services,
  accounts: readonly DemoAccount[],
  { at, firstDayMs }: { at: AtMoment; firstDayMs: number },
): Promise<PastSales> {
  const { processor, clock } = services;
  const span = { from: firstDayMs, until: clock.now() };
  const { items } = await readUpTo(
    INVOICES_MAX,
    (cursor, limit) => processor.listInvoices(span, cursor, limit),
  );
  const known = new Map(items.map((one) => [one.metadata["bid_id"], one]));
  const lent = new Map<string, string>();
  const cardOf = async ({ account, card }: DemoAccount): Promise<string> => {
    const { id, processorCustomerId: customerId } = account;
    if (card !== null) return card.id;
    invariant(customerId !== null, "who was charged is a customer");
    const cardId = lent.get(id) ?? done(
      await processor.attachCard(
        customerId,
        "pm_card_visa",
        `demo:${id}:old_card`,
      ),
    ).id;
    lent.set(id, cardId);
    return cardId;
  };
  const sale = { services, accounts, at, known, cardOf };
  return {
    async sell(days) {
      const sold: DemoDay[] = [];
      for (const day of days) sold.push(await sellDay(sale, day));
      return sold;
    },
    async end() {
      for (const [id, cardId] of lent) {
        done(await processor.detachCard(cardId, `demo:${id}:old_card:away`));
      }
    },
  };
}

/** What every charge is made with. */
interface Sale {
  services: Services;
  accounts: readonly DemoAccount[];
  at: AtMoment;
  /** What was charged by an attempt that crashed, by the ids of bids. */
  known: ReadonlyMap<string | undefined, ListedInvoice>;
  cardOf(demo: DemoAccount): Promise<string>;
}

async function sellDay(sale: Sale, past: DemoDay): Promise<DemoDay> {
  const { settlement, spotlight } = past;
  const candidates: Candidate[] = [];
  const invoices: PastInvoice[] = [];
  for (const candidate of settlement.candidates) {
    const isPaid = candidate.step === "won";
    if (!isPaid && candidate.step !== "passed_over") {
      candidates.push(candidate);
      continue;
    }
    const atMs = isPaid
      ? spotlight.settledAtMs
      : settlement.createdAtMs + REFUSED_AFTER_MS;
    const demo = sale.accounts.find(({ account }) =>
      account.id === candidate.accountId
    );
    invariant(demo !== undefined, "a demo bid belongs to a demo account");
    const { country } = sale.services.settings.seller;
    const vat = invoiceVatOf(demo.account, country);
    const charge = { day: past.auction.day, candidate, demo, vat };
    const found = await sale.at(atMs, () => charged(sale, charge));
    candidates.push({ ...candidate, vat, invoiceId: found.id });
    invoices.push(pastInvoice(charge, found, atMs));
  }
  return { ...past, settlement: { ...settlement, candidates }, invoices };
}

/** Whom a day is charged to. */
interface Charge {
  day: DemoDay["auction"]["day"];
  candidate: Candidate;
  demo: DemoAccount;
  vat: InvoiceVat;
}

/** Takes an invoice to its end, from wherever it is. */
async function charged(
  { services: { processor, settings }, known, cardOf }: Sale,
  { day, candidate, demo, vat }: Charge,
): Promise<ListedInvoice> {
  const { bidId, adId, amountCents, customerId } = candidate;
  invariant(customerId !== null, "who was charged is a customer");
  const key = `demo:${bidId}`;
  let invoice = known.get(bidId) ?? done(
    await processor.createInvoice({
      customerId,
      metadata: { purpose: "spotlight", day, bid_id: bidId, ad_id: adId },
      footer: footerText(settings.seller, vat),
    }, `${key}:create`),
  );
  if (invoice.status === "draft" && invoice.totalCents === 0) {
    done(
      await processor.addInvoiceLine({
        customerId,
        invoiceId: invoice.id,
        amountCents,
        description: lineText(day, settings.auctionHours),
        ...vat.contained !== null && { vat: vat.contained },
      }, `${key}:line`),
    );
  }
  if (invoice.status === "draft") {
    invoice = done(
      await processor.finalizeInvoice(invoice.id, `${key}:finalize`),
    );
  }
  if (invoice.status !== "open") return invoice;
  return done(
    candidate.step === "won"
      ? await processor.payInvoice(
        invoice.id,
        await cardOf(demo),
        `${key}:pay`,
      )
      : await processor.voidInvoice(invoice.id, `${key}:void`),
  );
}

function pastInvoice(
  { day, candidate: { accountId, bidId, step } }: Charge,
  found: ListedInvoice,
  atMs: number,
): PastInvoice {
  invariant(isFinalized(found), "what was charged has a number");
  const row = newInvoice(found, { accountId, day, bidId });
  if (step !== "won") {
    return { invoice: { ...row, state: "void" }, paymentId: null };
  }
  const [paymentId] = found.paymentIds;
  invariant(paymentId !== undefined, "what is paid was paid by a payment");
  return { invoice: { ...row, state: "paid", paidAtMs: atMs }, paymentId };
}
