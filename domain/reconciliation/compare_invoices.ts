import { isFinalized } from "../invoices/record_invoice.ts";
import type { ListedInvoice } from "../payments/processor.ts";
import type { Services } from "../ports.ts";
import type { Difference } from "./reconciliation.ts";

/** A document not archived by then is missed. */
const ARCHIVED_WITHIN_MS = 86_400_000;
/** Numbers between two others that are looked for. */
const GAP_LOOKED_AT = 100;

type Numbered = ListedInvoice & { number: string; finalizedAtMs: number };

/** The invoices of a day against what we know and keep of them. */
export async function compareInvoices(
  services: Services,
  listed: readonly ListedInvoice[],
): Promise<Difference[]> {
  const ours = listed.filter(isFinalized)
    .filter(({ metadata }) => metadata["purpose"] === "spotlight");
  const differences: Difference[] = [];
  for (const invoice of ours) {
    differences.push(...await compareOne(services, invoice));
  }
  return [...differences, ...await missingNumbers(services, ours)];
}

async function compareOne(
  { store, clock }: Services,
  theirs: Numbered,
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

/** Numbers are given one after the other, so a day's have no gap. */
async function missingNumbers(
  { store }: Services,
  invoices: readonly Numbered[],
): Promise<Difference[]> {
  // By name first: an account's other series would lie in between.
  const numbers = invoices.map(({ number }) => partsOf(number))
    .filter(({ value }) => Number.isSafeInteger(value + GAP_LOOKED_AT))
    .toSorted((a, b) => order(a.prefix, b.prefix) || a.value - b.value);
  const missing: Difference[] = [];
  for (const [at, { prefix, value, width }] of numbers.entries()) {
    const next = numbers[at + 1];
    if (next === undefined || next.prefix !== prefix) continue;
    const end = Math.min(next.value, value + GAP_LOOKED_AT);
    for (let one = value + 1; one < end; one++) {
      const number = `${prefix}${String(one).padStart(width, "0")}`;
      if (await store.invoiceNumbers.find(number) !== null) continue;
      missing.push({ kind: "number_missing", number });
    }
  }
  return missing;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function partsOf(
  number: string,
): { prefix: string; value: number; width: number } {
  const digits = /\d*$/.exec(number)?.[0] ?? "";
  const prefix = number.slice(0, number.length - digits.length);
  return { prefix, value: Number(digits), width: digits.length };
}
