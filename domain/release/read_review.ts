import { addDays, DAY_MS, startOfDayMs } from "../day.ts";
import { type Hold, UNKNOWN_AGE_MS } from "../hold/hold.ts";
import { readUpTo } from "../payments/read_up_to.ts";
import type { Services } from "../ports.ts";
import { isAdoptable } from "./adopt_item.ts";
import { itemId, type ReviewItem } from "./review.ts";
import { reviewInvoices } from "./read_invoices.ts";
import { reviewMovements } from "./read_movements.ts";

/** Most that is read of each list of the processor's, and most that is named. */
export interface ReviewBounds {
  invoices: number;
  movements: number;
  disputes: number;
  items: number;
}

/** What an operator is shown. */
export const REVIEW_BOUNDS: ReviewBounds = {
  invoices: 2_000,
  movements: 2_000,
  disputes: 500,
  items: 200,
};

/** Clocks differ, and what began before the backup may have ended after it. */
const MARGIN_MS = DAY_MS;

/**
 * Reads what the processor knows since the backup and this store does not. It
 * changes nothing and may be asked for at any time.
 *
 * @throws {ProcessorUncertain} when the processor does not say
 */
export async function readReview(
  services: Services,
  hold: Pick<Hold, "backupAtMs" | "acknowledged">,
  bounds: ReviewBounds = REVIEW_BOUNDS,
): Promise<ReviewItem[]> {
  const { clock, processor } = services;
  const now = clock.now();
  const span = {
    from: await reviewFromMs(services, hold),
    until: now + MARGIN_MS,
  };
  const invoices = await readUpTo(
    bounds.invoices,
    (cursor, limit) => processor.listInvoices(span, cursor, limit),
  );
  const movements = await readUpTo(
    bounds.movements,
    (cursor, limit) => processor.listBalanceTransactions(span, cursor, limit),
  );
  const disputes = await readUpTo(
    bounds.disputes,
    (cursor, limit) => processor.listDisputes(span, cursor, limit),
  );
  const items = [
    ...await reviewInvoices(services, hold, invoices.items),
    ...await reviewMovements(services, {
      movements: movements.items,
      disputes: disputes.items,
      invoices: invoices.items,
    }),
  ];
  const once = [...new Map(items.map((item) => [itemId(item), item])).values()];
  const shown = mostOf(once, bounds.items);
  return [
    ...notAllRead("invoices", invoices.isCut),
    ...notAllRead("movements", movements.isCut),
    ...notAllRead("disputes", disputes.isCut),
    ...notAllRead("items", shown.length < once.length),
    ...shown,
  ];
}

/**
 * So many of the items, in their order: before all others those that the release
 * adopts, however many a person is asked about. A payout that is left out here
 * would be paid again.
 */
function mostOf(items: readonly ReviewItem[], max: number): ReviewItem[] {
  const inTurn = [
    ...items.filter(isAdoptable),
    ...items.filter((item) => !isAdoptable(item)),
  ];
  const named = new Set(inTurn.slice(0, max));
  return items.filter((item) => named.has(item));
}

function notAllRead(
  what: "invoices" | "movements" | "disputes" | "items",
  isCut: boolean,
): ReviewItem[] {
  return isCut ? [{ kind: "not_all_read", what }] : [];
}

/** From the backup on, and from the first day that is not settled here. */
async function reviewFromMs(
  { store, clock }: Pick<Services, "store" | "clock">,
  { backupAtMs }: Pick<Hold, "backupAtMs">,
): Promise<number> {
  const sinceMs = backupAtMs ?? clock.now() - UNKNOWN_AGE_MS;
  const calendar = await store.calendar.find();
  const through = calendar?.settledThroughDay ?? null;
  const unsettledMs = through === null
    ? sinceMs
    : startOfDayMs(addDays(through, 1));
  return Math.min(sinceMs, unsettledMs) - MARGIN_MS;
}
