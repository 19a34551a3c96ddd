/**
 * The time by which days open and end. A day that a wrong clock had closed and
 * settled would stay so for ever, so ours counts only as far as the processor's
 * agrees: what that said last is kept, for when it does not answer.
 * Decision 0010 says why.
 *
 * @module
 */
import { hasBegun } from "../auction/auction.ts";
import { type Day, dayOf, MINUTE_MS } from "../day.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { lastMsOfDay, toldAfter } from "./told_time.ts";

/** How far two clocks that are right may be apart, as events of the processor allow. */
const APART_MS = 5 * MINUTE_MS;

/** What time it is, epoch ms. */
export interface AgreedTime {
  /** By this days open, which changes nothing for good. */
  nowMs: number;
  /** By this they are closed and settled, which does. */
  endsMs: number;
}

type Clocks = Pick<Services, "clock" | "processor" | "store" | "log">;

/**
 * The processor's time where ours is ahead of it, else ours; null where the
 * processor does not answer.
 *
 * @returns epoch ms
 */
export async function toldNow(clocks: Clocks): Promise<number | null> {
  const { clock, processor, log } = clocks;
  const toldMs = await processor.retrieveClock();
  if (toldMs === null) return null;
  const nowMs = clock.now();
  const aheadMs = nowMs - toldMs;
  const leadMs = aheadMs <= APART_MS ? 0 : aheadMs;
  await keepTold(clocks, toldMs, leadMs);
  if (aheadMs < -APART_MS) {
    const behindS = Math.round(-aheadMs / 1_000);
    log.error("auction.clock_behind", { behind_s: behindS });
  }
  if (leadMs === 0) return nowMs;
  log.error("auction.clock_ahead", { ahead_s: Math.round(leadMs / 1_000) });
  return toldMs;
}

/**
 * The time as the processor agrees with it. While it does not answer, ours
 * counts, less what it was ahead; but nothing ends that had not begun when it
 * answered last.
 */
export async function agreedTime(clocks: Clocks): Promise<AgreedTime> {
  const toldMs = await toldNow(clocks);
  if (toldMs !== null) return { nowMs: toldMs, endsMs: toldMs };
  const { store, clock, log } = clocks;
  const known = await store.toldTimes.find();
  const nowMs = clock.now() - (known?.leadMs ?? 0);
  const endsMs = known === null ? 0 : Math.min(nowMs, lastMsOfDay(known));
  if (endsMs < nowMs) {
    const toldDay = known === null ? null : dayOf(known.toldMs);
    log.error("auction.clock_untold", { told_day: toldDay });
  }
  return { nowMs, endsMs };
}

/**
 * Refuses what can't be undone on a day that has not begun, by our clock or by
 * what the processor's has ever told.
 *
 * @throws {Refused} `day_not_begun`
 */
export async function refuseUnlessBegun(
  clocks: Clocks,
  day: Day,
  action: "close" | "settle",
): Promise<void> {
  const { store, clock } = clocks;
  if (!hasBegun(day, clock.now())) {
    refuse({ code: "day_not_begun", day, action, by: "own" });
  }
  const known = await store.toldTimes.find();
  if (known !== null && hasBegun(day, known.toldMs)) return;
  const { endsMs } = await agreedTime(clocks);
  if (hasBegun(day, endsMs)) return;
  refuse({ code: "day_not_begun", day, action, by: "processor" });
}

async function keepTold(
  { store }: Clocks,
  toldMs: number,
  leadMs: number,
): Promise<void> {
  await store.transact(async (tx) => {
    const known = await tx.toldTimes.find();
    const kept = toldAfter(known, toldMs, leadMs);
    // In most minutes there is nothing that would be read later.
    const isNews = known === null || known.leadMs !== kept.leadMs ||
      leadMs > 0 || dayOf(known.toldMs) < dayOf(kept.toldMs);
    if (isNews) tx.toldTimes.save(kept);
  });
}
