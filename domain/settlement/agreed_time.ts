import { MINUTE_MS } from "../day.ts";
import type { Services } from "../ports.ts";

/** How far two clocks that are right may be apart, as events of the processor allow. */
const APART_MS = 5 * MINUTE_MS;

/**
 * The time by which days end: ours, or the processor's where ours is ahead of it.
 * A day that a wrong clock had closed and settled would stay so for ever. Where
 * the processor does not answer, ours counts: no card is charged without it.
 *
 * @returns epoch ms
 */
export async function agreedNow(
  { clock, processor, log }: Pick<Services, "clock" | "processor" | "log">,
): Promise<number> {
  const toldMs = await processor.retrieveClock();
  const nowMs = clock.now();
  if (toldMs === null || nowMs - toldMs <= APART_MS) return nowMs;
  const aheadS = Math.round((nowMs - toldMs) / 1_000);
  log.error("auction.clock_ahead", { ahead_s: aheadS });
  return toldMs;
}
