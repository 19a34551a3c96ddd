import type { Day } from "../day.ts";
import type { Services } from "../ports.ts";
import { CLICK_COUNTS_MAX, type ClickCount } from "./click.ts";
import { findFinalAtMs } from "./final_at.ts";

/** The click aggregate of one day, as it is sold. */
export interface DayClicks {
  /** Requests to `/go/{day}` that were not prefetches. */
  clicks: number;
  /** Those of them that a person made, one a visitor and half hour. */
  humanClicks: number;
  /** Distinct countries among the human clicks. */
  countries: number;
  /** Whether these figures never change again. */
  final: boolean;
}

/**
 * What has been counted for a day so far; zeros when nothing was.
 *
 * @throws {StoreUnavailable} when the store does not answer
 */
export async function readDayClicks(
  services: Pick<Services, "store" | "clock">,
  day: Day,
): Promise<DayClicks> {
  const { counts, final } = await readDayCounts(services, day);
  return { ...totalsOf(counts), final };
}

/**
 * The same in every detail, which is not for everyone. Figures that are final
 * by the clock are closed before they are read, so that two readers are never
 * told different ones.
 *
 * @throws {StoreUnavailable} when the store does not answer
 */
export async function readDayCounts(
  services: Pick<Services, "store" | "clock">,
  day: Day,
): Promise<{ counts: readonly ClickCount[]; final: boolean }> {
  const { store, clock } = services;
  const [finalAtMs, books] = await Promise.all([
    findFinalAtMs(store, day),
    store.clickBooks.find(),
  ]);
  const final = finalAtMs !== null && finalAtMs <= clock.now();
  if (final && (books?.closedThroughMs ?? -Infinity) < finalAtMs) {
    await closeBooks(services);
  }
  const limit = CLICK_COUNTS_MAX;
  return { counts: await store.listClickCounts(day, { limit }), final };
}

/** Adds up the numbers of one day. */
export function totalsOf(
  counts: readonly ClickCount[],
): Omit<DayClicks, "final"> {
  const totals = { clicks: 0, humanClicks: 0, countries: 0 };
  for (const { dimension, value, count } of counts) {
    if (dimension === "country" && count > 0) totals.countries += 1;
    if (dimension !== "outcome") continue;
    if (value !== "prefetch") totals.clicks += count;
    if (value === "human") totals.humanClicks += count;
  }
  return totals;
}

/**
 * Closes the figures that are final by now: from this commit on no booking
 * changes them, not even one that was sent before it. A repeat changes nothing.
 *
 * @throws {Contention} when the store is too busy
 */
async function closeBooks(
  { store, clock }: Pick<Services, "store" | "clock">,
): Promise<void> {
  await store.transact(async (tx) => {
    const closedThroughMs = clock.now();
    const books = await tx.clickBooks.find();
    if (books !== null && books.closedThroughMs >= closedThroughMs) return;
    tx.clickBooks.save({ closedThroughMs });
  });
}
