import {
  archiveName,
  type ArchiveTask,
  newArchiveTask,
} from "../../domain/invoices/archive_task.ts";
import type { Invoice } from "../../domain/invoices/invoice.ts";
import type { Services } from "../../domain/ports.ts";
import { dayText } from "./public_spotlights.ts";

/** When the invoices of tests were made final. */
export const FINALIZED_MS = Date.parse("2026-11-20T23:56:00.000Z");

/** A paid invoice of an account, with what differs from it. */
export function invoiceOf(
  accountId: string,
  number: string,
  changes: Partial<Invoice> = {},
): Invoice {
  const name = number.replace(/[^A-Za-z0-9]/g, "");
  return {
    id: `in_${name}`,
    number,
    accountId,
    customerId: `cus_${accountId}`,
    day: dayText("2026-11-20"),
    bidId: `bid_${name}`,
    state: "paid",
    totalCents: 12_100,
    taxCents: 2_100,
    finalizedAtMs: FINALIZED_MS,
    paidAtMs: FINALIZED_MS + 2_000,
    money: "sold",
    wasSold: true,
    paymentId: `pi_${name}`,
    refundReason: null,
    refundNote: null,
    creditNotes: [],
    refunds: [],
    disputedCents: 0,
    lostCents: 0,
    leaseUntilMs: 0,
    dueAtMs: FINALIZED_MS,
    attempts: 0,
    refundTries: 0,
    refundRefusals: 0,
    refundTrouble: null,
    ...changes,
  };
}

/** Writes an invoice and what has to be archived of it. */
export async function saveInvoice(
  { store, clock }: Services,
  invoice: Invoice,
): Promise<Invoice> {
  const { number, accountId, id: documentId, creditNotes } = invoice;
  const tasks = [
    { number, kind: "invoice" as const, documentId, accountId },
    ...creditNotes.map((note) => ({
      number: note.number,
      kind: "credit_note" as const,
      documentId: note.id,
      accountId,
    })),
  ];
  await store.transact((tx) => {
    tx.invoices.save(invoice);
    tasks.forEach((task) =>
      tx.archiveTasks.save(newArchiveTask(task, clock.now()))
    );
  });
  return invoice;
}

/** Puts something into the archive that stands for a printed document. */
export async function archiveAs(
  { store, archive, clock }: Services,
  number: string,
  text: string,
): Promise<ArchiveTask> {
  const task = await store.archiveTasks.find(number);
  if (task === null) throw new Error(`Nothing is to be archived as ${number}`);
  const document = new TextEncoder().encode(text);
  const stored = await archive.store(archiveName(task), document);
  const done: ArchiveTask = {
    ...task,
    ...stored,
    state: "stored",
    dueAtMs: clock.now(),
    attempts: 1,
  };
  await store.transact((tx) => tx.archiveTasks.save(done));
  return done;
}
