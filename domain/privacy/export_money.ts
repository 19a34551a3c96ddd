/** Of money, and of the check that a person is who they say. */
import { isoOrNull, isoTime } from "../day.ts";
import type { Json } from "../idempotency/canonical_json.ts";
import { everyInvoice } from "../invoices/every_invoice.ts";
import type { Invoice } from "../invoices/invoice.ts";
import { invoiceStatus } from "../invoices/invoice_status.ts";
import { PAGES } from "../pages.ts";
import { everyCard, everyDispute } from "./own_records.ts";
import type { Exported, ExportServices } from "./exported.ts";

/** What is known of the person's identity. */
export async function identitySection(
  { store }: ExportServices,
  { accountId }: Exported,
): Promise<Json> {
  const [account, check] = await store.getMany([
    store.accounts.ref(accountId),
    store.identityChecks.ref(accountId),
  ]);
  return {
    status: account?.identityStatus ?? "unverified",
    verified_at: isoOrNull(check?.verified?.atMs),
    checks_begun: check?.count ?? 0,
    last_checks: (check?.tries ?? []).map(({ startedAtMs, sessionId }) => ({
      at: isoTime(startedAtMs),
      at_the_payment_processor: sessionId,
    })),
    last_answer: check?.lastErrorCode ?? check?.status ?? null,
  };
}

/** Saved cards, as little as is known of them. */
export async function cardsSection(
  { store }: ExportServices,
  { accountId }: Exported,
): Promise<Json> {
  const cards = await everyCard({ store }, accountId);
  return cards.map((card) => ({
    id: card.id,
    brand: card.brand,
    last4: card.last4,
    fingerprint: card.fingerprint ?? null,
    expires: `${card.expYear}-${String(card.expMonth).padStart(2, "0")}`,
    saved_at: isoTime(card.createdAtMs),
    refused_at: isoOrNull(card.refusedAtMs),
    being_removed_since: isoOrNull(card.endingSinceMs),
  }));
}

/** Invoices, each with the address of its document. */
export async function* invoicesSection(
  { store, settings }: ExportServices,
  { accountId }: Exported,
): AsyncGenerator<Json> {
  for await (const invoice of everyInvoice({ store }, accountId)) {
    yield invoiceFacts(invoice, settings.baseUrl);
  }
}

function invoiceFacts(invoice: Invoice, baseUrl: string): Json {
  const at = `${baseUrl}${PAGES.invoices}/${
    encodeURIComponent(invoice.number)
  }`;
  return {
    id: invoice.id,
    number: invoice.number,
    day: invoice.day,
    bid: invoice.bidId,
    payment: invoice.paymentId,
    status: invoiceStatus(invoice),
    total_cents: invoice.totalCents,
    tax_cents: invoice.taxCents,
    finalized_at: isoTime(invoice.finalizedAtMs),
    paid_at: isoOrNull(invoice.paidAtMs),
    refund_note: invoice.refundNote,
    document: `${at}/pdf`,
    credit_notes: invoice.creditNotes.map((note) => ({
      number: note.number,
      total_cents: note.totalCents,
      tax_cents: note.taxCents,
      made_at: isoTime(note.createdAtMs),
      document: `${at}/credit_notes/${encodeURIComponent(note.number)}/pdf`,
    })),
  };
}

/** Disputes of payments. */
export async function disputesSection(
  { store }: ExportServices,
  { accountId }: Exported,
): Promise<Json> {
  const disputes = await everyDispute({ store }, accountId);
  return disputes.map((dispute) => ({
    id: dispute.id,
    invoice: dispute.invoiceId,
    payment: dispute.paymentId,
    state: dispute.state,
    amount_cents: dispute.amountCents,
    reason: dispute.reason,
    opened_at: isoTime(dispute.openedAtMs),
    evidence_due_at: isoOrNull(dispute.evidenceDueAtMs),
  }));
}
