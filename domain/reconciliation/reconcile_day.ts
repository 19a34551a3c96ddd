/**
 * Comparing a day's books with the processor's and with the archive. What a
 * lost notification kept from us is looked at first; what then still differs is
 * reported and never mended here.
 *
 * @module
 */
import { type Day, DAY_MS, dayOf, startOfDayMs } from "../day.ts";
import { sweepDisputes } from "../disputes/sweep_disputes.ts";
import { lookAtInvoice } from "../invoices/look_at_invoice.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import { lookAtPayment } from "../payments/look_at_payment.ts";
import type { BalanceTransaction } from "../payments/processor_books.ts";
import { readPages } from "../payments/read_pages.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { compareInvoices } from "./compare_invoices.ts";
import { compareMovements } from "./compare_movements.ts";
import {
  type Difference,
  DIFFERENCES_NAMED,
  type Reconciliation,
} from "./reconciliation.ts";

/** What we book was mostly moved within this time before. */
const BOOKED_WITHIN_MS = 7 * DAY_MS;
/** What was not is looked for this far back, since an event may come late. */
const BOOKED_AT_LAST_MS = 60 * DAY_MS;
/** The processor's clock may be off ours, and its times are whole seconds. */
const CLOCK_SKEW_MS = 60_000;
/** Entries of one payment, and of one day, that are read. */
const ENTRIES_OF_PAYMENT = 100;
const ENTRIES_OF_DAY = 50_000;

/** What a day's comparison is made from. */
interface Found {
  differences: Difference[];
  movements: number;
  entries: number;
  invoices: number;
}

/**
 * Compares one UTC day that is over, and keeps the report.
 *
 * @throws {Refused} `invalid_input` for a day that is not over
 * @throws {TemporaryFailure} when the processor or the store does not answer;
 * nothing is reported then
 */
export async function reconcileDay(
  services: Services,
  day: Day,
): Promise<Reconciliation> {
  const { store, clock, log } = services;
  if (day >= dayOf(clock.now())) {
    const message = `Cannot compare the books: ${day} is not over`;
    refuse({ code: "invalid_input", message });
  }
  await sweepDisputes(services);
  const first = await compare(services, day);
  await lookAtAll(services, first.differences);
  const found = first.differences.length === 0
    ? first
    : await compare(services, day);
  const { differences, ...counts } = found;
  const report: Reconciliation = {
    day,
    ranAtMs: clock.now(),
    ...counts,
    differences: differences.slice(0, DIFFERENCES_NAMED),
    moreDifferences: Math.max(0, differences.length - DIFFERENCES_NAMED),
  };
  await store.transact((tx) => tx.reconciliations.save(report));
  if (differences.length > 0) {
    const kinds = [...new Set(differences.map(({ kind }) => kind))];
    log.error("reconciliation.differs", {
      day,
      differences: differences.length,
      kinds,
    });
  } else log.info("reconciliation.agrees", { day, ...counts });
  return report;
}

async function compare(services: Services, day: Day): Promise<Found> {
  const { store, processor } = services;
  const from = startOfDayMs(day);
  const until = from + DAY_MS - 1;
  const movementsAround = await movementsSince(services, day, BOOKED_WITHIN_MS);
  const movements = movementsAround.filter(({ createdAtMs }) =>
    createdAtMs >= from && createdAtMs <= until
  );
  const entries = await store.listLedgerBetween(from, until, {
    limit: ENTRIES_OF_DAY,
  });
  const entriesOfMovements = await entriesOf(services, movements);
  const invoices = await readPages((cursor, limit) =>
    processor.listInvoices({ from, until }, cursor, limit)
  );
  const books = { movements, entriesOfMovements, entries, movementsAround };
  let moved = compareMovements(books);
  if (moved.some(({ kind }) => kind === "not_moved")) {
    const earlier = await movementsSince(services, day, BOOKED_AT_LAST_MS);
    moved = compareMovements({ ...books, movementsAround: earlier });
  }
  return {
    differences: [...moved, ...await compareInvoices(services, invoices)],
    movements: movements.length,
    entries: entries.length,
    invoices: invoices.length,
  };
}

/** The movements of a day and of so much time before it. */
function movementsSince(
  { processor }: Services,
  day: Day,
  beforeMs: number,
): Promise<BalanceTransaction[]> {
  const from = startOfDayMs(day);
  const span = { from: from - beforeMs, until: from + DAY_MS + CLOCK_SKEW_MS };
  return readPages((cursor, limit) =>
    processor.listBalanceTransactions(span, cursor, limit)
  );
}

async function entriesOf(
  { store }: Services,
  movements: readonly BalanceTransaction[],
): Promise<LedgerEntry[]> {
  const paymentIds = new Set(
    movements.map(({ paymentId }) => paymentId).filter((id) => id !== null),
  );
  const entries: LedgerEntry[] = [];
  for (const paymentId of paymentIds) {
    const options = { limit: ENTRIES_OF_PAYMENT };
    entries.push(...await store.listLedgerOfPayment(paymentId, options));
  }
  return entries;
}

/** What a notification that was lost would have led to. */
async function lookAtAll(
  services: Services,
  differences: readonly Difference[],
): Promise<void> {
  const { log } = services;
  for (const difference of differences) {
    try {
      await lookAt(services, difference);
    } catch (error) {
      // Then it stays a difference, and is reported as one.
      const { kind } = difference;
      log.error("reconciliation.look_failed", { kind, error: String(error) });
    }
  }
}

async function lookAt(
  services: Services,
  difference: Difference,
): Promise<void> {
  switch (difference.kind) {
    case "not_booked":
      if (difference.paymentId === null) return;
      return await lookAtPayment(services, difference.paymentId);
    case "invoice_unknown":
    case "invoice_differs":
      return await lookAtInvoice(services, difference.invoiceId);
    case "not_moved":
    case "unbalanced":
    case "number_missing":
    case "not_archived":
    case "number_repeated":
      return;
  }
}
