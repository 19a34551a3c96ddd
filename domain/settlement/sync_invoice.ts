/**
 * Bringing our rows in line with an invoice as the processor has it now. While
 * the settlement of its day works on it, that goes on with it. One of a bid that
 * did not win, and was paid all the same, is booked and given back.
 *
 * @module
 */
import { settleDay } from "./settle_day.ts";
import { parseDay } from "../day.ts";
import { noteEvents } from "../events/note_events.ts";
import type { ListedInvoice } from "../payments/processor.ts";
import type { Services } from "../ports.ts";
import { paymentOfInvoice } from "../invoices/payment_of_invoice.ts";
import type { InvoiceOwner } from "../invoices/record_invoice.ts";
import { refundInvoice } from "../invoices/refund_invoice.ts";
import { recordLatePayment } from "./record_late_payment.ts";
import { recordUnknownBuyer } from "./unknown_buyer.ts";

/**
 * Brings our rows in line with an invoice that has changed. Safe to repeat, in
 * any order. An invoice that is not for a Spotlight is ignored, and so is one
 * whose bid is not known, but for those that a restored store has lost.
 *
 * @throws {ProcessorUncertain} when the processor does not say
 */
export async function syncInvoice(
  services: Services,
  invoiceId: string,
): Promise<void> {
  const asked = await services.processor.retrieveInvoice(invoiceId);
  // A draft that was deleted; nothing that has a number vanishes.
  if (!asked.ok) return;
  const owner = await ownerOf(services, asked.value);
  if (owner === null) return await recordUnknownBuyer(services, asked.value);
  let fate = await fateOf(services, owner, invoiceId);
  if (fate === "under_way") {
    await settleDay(services, { day: owner.day, force: true });
    fate = await fateOf(services, owner, invoiceId);
  }
  if (fate !== "won" && fate !== "lost") return;
  await recordFound(services, asked.value, owner, fate);
}

/** Whose it is, by our own metadata, which only we can write. */
async function ownerOf(
  { store }: Services,
  { metadata }: ListedInvoice,
): Promise<InvoiceOwner | null> {
  const { purpose, bid_id: bidId } = metadata;
  const day = parseDay(metadata["day"] ?? "");
  if (purpose !== "spotlight" || bidId === undefined || day === null) {
    return null;
  }
  const place = await store.bidPlaces.find(bidId);
  return place === null ? null : { accountId: place.accountId, day, bidId };
}

/**
 * What its day has decided about an invoice. Whoever has not won a settled day
 * has lost it, however far it came; null for who was never tried.
 */
async function fateOf(
  { store }: Services,
  { day, bidId }: InvoiceOwner,
  invoiceId: string,
): Promise<"won" | "lost" | "under_way" | null> {
  const settlement = await store.settlements.find(day);
  const candidate = settlement?.candidates.find((each) => each.bidId === bidId);
  const { step } = candidate ?? {};
  if (step === "won" && candidate?.invoiceId === invoiceId) return "won";
  if (settlement?.state === "settled" || step === "passed_over") return "lost";
  return candidate === undefined ? null : "under_way";
}

async function recordFound(
  services: Services,
  found: ListedInvoice,
  owner: InvoiceOwner,
  fate: "won" | "lost",
): Promise<void> {
  const { store, clock, log } = services;
  const latePayment = fate === "lost"
    ? await paymentOfInvoice(services, found)
    : null;
  const isLate = await store.transact(async (tx) => {
    const nowMs = clock.now();
    const payment = { found, owner, paymentId: latePayment };
    const facts = await recordLatePayment(tx, payment, nowMs);
    await noteEvents(tx, owner.accountId, facts, nowMs);
    return facts.length > 0;
  });
  if (isLate) {
    log.info("invoice.paid_late", { invoice: found.id, day: owner.day });
  }
  await refundInvoice(services, { invoiceId: found.id });
}
