/**
 * Comparing a day's books with the processor's and with the archive. What a
 * lost notification kept from us is synced first; what then still differs is
 * reported and never corrected here.
 *
 * @module
 */
import { type Day, DAY_MS } from "../day.ts";
import { countCommission } from "../partners/count_commission.ts";
import { syncTransfer } from "../partners/sync_transfer.ts";
import type { ListedInvoice } from "../payments/processor.ts";
import { type ReadUpTo, readUpTo } from "../payments/read_up_to.ts";
import type { Services } from "../ports.ts";
import { syncInvoice } from "../settlement/sync_invoice.ts";
import { syncPayment } from "../webhooks/sync_payment.ts";
import { syncRefund } from "../webhooks/sync_refund.ts";
import {
  compareArchive,
  compareCreditNotes,
  compareInvoices,
  finalizedIn,
} from "./compare_invoices.ts";
import { compareCommissions, comparePartners } from "./compare_commissions.ts";
import { compareNumbers } from "./compare_numbers.ts";
import {
  BOOKED_AT_LAST_DAYS,
  CLOCK_SKEW_MS,
  compareBooks,
  READ_BOUNDS,
  type ReadBounds,
  spanOf,
} from "./read_books.ts";
import {
  type ComparedPart,
  type Difference,
  DIFFERENCES_NAMED,
  type LastNumber,
  type Reconciliation,
} from "./reconciliation.ts";

type NotBooked = Extract<Difference, { kind: "not_booked" }>;

/** The result of comparing a day. */
type Found = Omit<Reconciliation, "day" | "ranAtMs" | "moreDifferences">;

/**
 * Compares one UTC day that is over, and keeps the report. The disputes were
 * swept before.
 *
 * @param cut what was not read to its end before that
 * @throws {TemporaryFailure} when the processor or the store does not answer;
 * nothing is reported then
 */
export async function compareDay(
  services: Services,
  day: Day,
  bounds: ReadBounds = READ_BOUNDS,
  cut: readonly ComparedPart[] = [],
): Promise<Reconciliation> {
  const { store, clock } = services;
  const first = await compare(services, day, bounds);
  await syncDifferences(services, first.differences);
  const found = first.differences.length === 0
    ? first
    : await compare(services, day, bounds);
  const { differences: compared, ...rest } = found;
  // First, since only so many are named.
  const differences = [...cut.map(notFully), ...compared];
  const report: Reconciliation = {
    day,
    ranAtMs: clock.now(),
    ...rest,
    differences: differences.slice(0, DIFFERENCES_NAMED),
    moreDifferences: Math.max(0, differences.length - DIFFERENCES_NAMED),
  };
  await store.transact((tx) => tx.reconciliations.save(report));
  logDifferences(services, day, { ...found, differences });
  return report;
}

function notFully(what: ComparedPart): Difference {
  return { kind: "not_fully_compared", what };
}

function logDifferences({ log }: Services, day: Day, found: Found): void {
  const { differences, movements, entries, invoices } = found;
  if (differences.length === 0) {
    const counts = { movements, entries, invoices };
    return log.info("reconciliation.agrees", { day, ...counts });
  }
  const kinds = [...new Set(differences.map(({ kind }) => kind))];
  log.error("reconciliation.differs", {
    day,
    differences: differences.length,
    kinds,
  });
}

async function compare(
  services: Services,
  day: Day,
  bounds: ReadBounds,
): Promise<Found> {
  const { from, until } = spanOf(day);
  const books = await compareBooks(services, day, bounds);
  const listed = await invoicesOf(services, day, bounds);
  const invoices = finalizedIn(listed.items, { from, until });
  const dayBefore = { from: from - DAY_MS, until: from - 1 };
  const known = finalizedIn(listed.items, { from: 0, until });
  const numbers = await compareNumbers(
    services,
    invoices.map(({ number }) => number),
    await lastNumbersBefore(services, day),
    bounds.numbers,
  );
  const cut = [...books.cut, ...listed.isCut ? ["invoices" as const] : []];
  return {
    differences: [
      ...cut.map(notFully),
      ...books.differences,
      ...await compareInvoices(services, invoices),
      ...await compareArchive(services, finalizedIn(known, dayBefore)),
      ...await compareCreditNotes(services, known, dayBefore),
      ...numbers.differences,
      ...await compareCommissions(services, invoices),
      ...await comparePartners(services),
    ],
    movements: books.movements,
    entries: books.entries,
    invoices: invoices.length,
    lastNumbers: numbers.lastNumbers,
  };
}

/**
 * The invoices that may have been made final on the day or the one before. The
 * processor lists them by when they were drafted, which may be long before.
 */
function invoicesOf(
  { processor }: Services,
  day: Day,
  bounds: ReadBounds,
): Promise<ReadUpTo<ListedInvoice>> {
  const { from, until } = spanOf(day);
  const span = {
    from: from - BOOKED_AT_LAST_DAYS * DAY_MS,
    until: until + CLOCK_SKEW_MS,
  };
  return readUpTo(
    bounds.invoices,
    (cursor, limit) => processor.listInvoices(span, cursor, limit),
  );
}

/** How far the numbers had come when the last day before was compared. */
async function lastNumbersBefore(
  { store }: Services,
  day: Day,
): Promise<readonly LastNumber[]> {
  const [report] = await store.listReconciliations({ limit: 1, before: day });
  return report?.lastNumbers ?? [];
}

/**
 * Does what a notification that was lost would have led to. What can't be
 * synced stays a difference, and keeps no other from being synced.
 */
async function syncDifferences(
  services: Services,
  differences: readonly Difference[],
): Promise<void> {
  for (const difference of differences) {
    try {
      if (difference.kind === "not_booked") {
        await syncNotBooked(services, difference);
      }
      if (difference.kind === "commission_uncounted") {
        await countCommission(services, { invoiceId: difference.id });
      }
      if ("invoiceId" in difference) {
        await syncInvoice(services, difference.invoiceId);
      }
    } catch (error) {
      const fields = { kind: difference.kind, error: String(error) };
      services.log.error("reconciliation.sync_failed", fields);
    }
  }
}

async function syncNotBooked(
  services: Services,
  { failedRefundId, isTransfer, paymentId }: NotBooked,
): Promise<void> {
  if (failedRefundId !== undefined) {
    await syncRefund(services, failedRefundId);
  } else if (paymentId === null) return;
  else if (isTransfer) await syncTransfer(services, paymentId);
  else await syncPayment(services, paymentId);
}
