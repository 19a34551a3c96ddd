import { DAY_MS } from "../day.ts";
import { isFinalized } from "../invoices/record_invoice.ts";
import type { ListedInvoice } from "../payments/processor.ts";
import type { TimeSpan } from "../payments/processor_books.ts";
import type { Services } from "../ports.ts";
import type { Difference } from "./reconciliation.ts";

/** A document not archived by then is missed. */
const ARCHIVED_WITHIN_MS = DAY_MS;

/** An invoice of a Spotlight that has its number. */
export type NumberedInvoice = ListedInvoice & {
  number: string;
  finalizedAtMs: number;
};

/** Those of a Spotlight that were made final in a span, whatever came then. */
export function finalizedIn(
  listed: readonly ListedInvoice[],
  { from, until }: TimeSpan,
): NumberedInvoice[] {
  return listed.filter(isFinalized)
    .filter(({ metadata }) => metadata["purpose"] === "spotlight")
    .filter(({ finalizedAtMs }) =>
      finalizedAtMs >= from && finalizedAtMs <= until
    );
}

/** Invoices at the processor against what we know and keep of them. */
export async function compareInvoices(
  services: Pick<Services, "store" | "clock">,
  invoices: readonly NumberedInvoice[],
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
  invoices: readonly NumberedInvoice[],
): Promise<Difference[]> {
  const differences = await compareInvoices(services, invoices);
  return differences.filter(({ kind }) => kind === "not_archived");
}

async function compareOne(
  { store, clock }: Pick<Services, "store" | "clock">,
  theirs: NumberedInvoice,
): Promise<Difference[]> {
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
  const isOld = clock.now() - theirs.finalizedAtMs > ARCHIVED_WITHIN_MS;
  if (task?.documentId !== invoiceId) {
    differences.push({ kind: "number_repeated", number });
  } else if (task.state !== "stored" && isOld) {
    differences.push({ kind: "not_archived", number });
  }
  return differences;
}
