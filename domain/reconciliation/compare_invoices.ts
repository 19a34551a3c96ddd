import { DAY_MS } from "../day.ts";
import type { ArchiveTask } from "../invoices/archive_task.ts";
import {
  type FinalizedInvoice,
  isFinalized,
} from "../invoices/record_invoice.ts";
import type { ListedInvoice } from "../payments/processor.ts";
import type { TimeSpan } from "../payments/outcome.ts";
import type { Services } from "../ports.ts";
import { readAll } from "../read_all.ts";
import type { Difference } from "./reconciliation.ts";

/** A document not archived by then is missed. */
const ARCHIVED_WITHIN_MS = DAY_MS;

/** Those of a Spotlight that were made final in a span, whatever came then. */
export function finalizedIn(
  listed: readonly ListedInvoice[],
  { from, until }: TimeSpan,
): FinalizedInvoice[] {
  return listed.filter(isFinalized)
    .filter(({ metadata }) => metadata["purpose"] === "spotlight")
    .filter(({ finalizedAtMs }) =>
      finalizedAtMs >= from && finalizedAtMs <= until
    );
}

/** Invoices at the processor against what we know and keep of them. */
export async function compareInvoices(
  services: Pick<Services, "store" | "clock">,
  invoices: readonly FinalizedInvoice[],
): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const invoice of invoices) {
    differences.push(...await compareOne(services, invoice));
  }
  return differences;
}

/** Invoices that were compared the day before, when they were too young. */
export async function compareArchive(
  services: Pick<Services, "store" | "clock">,
  invoices: readonly FinalizedInvoice[],
): Promise<Difference[]> {
  const differences = await compareInvoices(services, invoices);
  return differences.filter(({ kind }) => kind === "not_archived");
}

/**
 * The corrections that were made in a span of time, of any of these invoices:
 * each is a document with a number of its own.
 */
export async function compareCreditNotes(
  services: Pick<Services, "store" | "clock">,
  invoices: readonly FinalizedInvoice[],
  { from, until }: TimeSpan,
): Promise<Difference[]> {
  const { store } = services;
  const rows = await readAll(
    store,
    invoices.map(({ id }) => store.invoices.ref(id)),
  );
  const notes = rows.flatMap((row) => row?.creditNotes ?? [])
    .filter(({ createdAtMs }) => createdAtMs >= from && createdAtMs <= until);
  const differences: Difference[] = [];
  for (const { id, number, createdAtMs } of notes) {
    const task = await store.archiveTasks.find(number);
    const document = { id, number, sinceMs: createdAtMs };
    differences.push(...archived(services, document, task));
  }
  return differences;
}

async function compareOne(
  services: Pick<Services, "store" | "clock">,
  theirs: FinalizedInvoice,
): Promise<Difference[]> {
  const { store } = services;
  const { id: invoiceId, number, status, totalCents } = theirs;
  const [ours, task] = await store.getMany([
    store.invoices.ref(invoiceId),
    store.archiveTasks.ref(number),
  ]);
  if (ours === null) return [{ kind: "invoice_unknown", invoiceId, number }];
  const differences: Difference[] = [];
  const said = `${ours.state} ${ours.totalCents} ${ours.number}`;
  const found = `${status} ${totalCents} ${number}`;
  if (said !== found) {
    const both = { ours: said, theirs: found };
    differences.push({ kind: "invoice_differs", invoiceId, number, ...both });
  }
  const document = { id: invoiceId, number, sinceMs: theirs.finalizedAtMs };
  return [...differences, ...archived(services, document, task)];
}

function archived(
  { clock }: Pick<Services, "clock">,
  { id, number, sinceMs }: { id: string; number: string; sinceMs: number },
  task: ArchiveTask | null,
): Difference[] {
  if (task?.documentId !== id) return [{ kind: "number_repeated", number }];
  const isOld = clock.now() - sinceMs > ARCHIVED_WITHIN_MS;
  const isMissed = task.state !== "stored" && isOld;
  return isMissed ? [{ kind: "not_archived", number }] : [];
}
