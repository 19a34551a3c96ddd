import type { Day } from "../day.ts";
import type { ListedInvoice } from "../payments/processor.ts";
import type { Transaction } from "../ports.ts";
import { advance } from "../state_machine.ts";
import { queueArchiving } from "./archive_task.ts";
import { type Invoice, INVOICE_STATES, type InvoiceState } from "./invoice.ts";

/** Whom and what an invoice is for. */
export interface InvoiceOwner {
  accountId: string;
  day: Day;
  bidId: string;
}

/** An invoice that is final: the processor has numbered it. */
export interface FinalizedInvoice extends ListedInvoice {
  status: InvoiceState;
  number: string;
  finalizedAtMs: number;
}

/** Tells an invoice that is final from a draft. */
export function isFinalized(found: ListedInvoice): found is FinalizedInvoice {
  return found.number !== null && found.finalizedAtMs !== null &&
    found.status !== "draft";
}

/**
 * Writes down, in the caller's commit, a finalised invoice as the processor has
 * it, and the first time that it has to be archived. Null for a draft, which
 * has no number yet.
 *
 * @returns the invoice as it now stands, to be saved again by who changes more
 */
export async function recordInvoice(
  tx: Transaction,
  found: ListedInvoice,
  owner: InvoiceOwner,
  nowMs: number,
): Promise<Invoice | null> {
  if (!isFinalized(found)) return null;
  const known = await tx.invoices.find(found.id);
  const before = known ?? newInvoice(found, owner);
  const { status } = found;
  const invoice: Invoice = {
    ...before,
    state: stateAfter(before.state, status),
    paidAtMs: before.paidAtMs ?? (status === "paid" ? nowMs : null),
  };
  tx.invoices.save(invoice);
  if (known === null) {
    await queueArchiving(tx, {
      number: invoice.number,
      kind: "invoice",
      documentId: invoice.id,
      accountId: invoice.accountId,
    }, nowMs);
  }
  return invoice;
}

/** What was read may be older than what is known: an end stays. */
function stateAfter(known: InvoiceState, seen: InvoiceState): InvoiceState {
  const isNext = known !== seen && INVOICE_STATES[known].includes(seen);
  return isNext ? advance(INVOICE_STATES, known, seen) : known;
}

/** The row of an invoice that has only just been made final. */
export function newInvoice(
  found: FinalizedInvoice,
  { accountId, day, bidId }: InvoiceOwner,
): Invoice {
  return {
    id: found.id,
    number: found.number,
    accountId,
    customerId: found.customerId,
    day,
    bidId,
    state: "open",
    totalCents: found.totalCents,
    taxCents: found.taxCents,
    finalizedAtMs: found.finalizedAtMs,
    paidAtMs: null,
    money: "none",
    wasSold: false,
    paymentId: null,
    refundReason: null,
    refundNote: null,
    creditNotes: [],
    refunds: [],
    disputedCents: 0,
    lostCents: 0,
    leaseUntilMs: 0,
    dueAtMs: found.finalizedAtMs,
    attempts: 0,
    refundTries: 0,
    refundRefusals: 0,
    refundTrouble: null,
  };
}
