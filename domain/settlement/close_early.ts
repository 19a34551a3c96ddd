import { type Auction, hasBegun, phaseAt } from "../auction/auction.ts";
import type { Day } from "../day.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { agreedTime } from "./agreed_time.ts";
import { closeAuction } from "./close_auction.ts";
import { readDayBefore } from "./day_before.ts";

/**
 * Closes a day's auction by an operator's order, which may come before its hour;
 * a repeat returns what stands. That ends the time on show of the day before, so
 * it waits until that has settled: a winner who is still being charged would lose
 * a day that nothing of ours, and no outage, has kept from it (contract §2.1).
 *
 * @throws {Refused} `day_before_unsettled`; and what {@linkcode closeAuction}
 * refuses
 */
export async function closeEarly(
  services: Services,
  { day }: { day: Day },
): Promise<Auction> {
  const { store, clock } = services;
  const auction = await store.auctions.find(day);
  if (auction?.phase === "OPEN" && hasBegun(day, clock.now())) {
    await refuseUnlessSettledBefore(services, auction);
  }
  return await closeAuction(services, { day });
}

/** A day that settles meanwhile stays so: what was read need not be locked. */
async function refuseUnlessSettledBefore(
  services: Services,
  auction: Auction,
): Promise<void> {
  const { day, closesAtMs } = auction;
  const { day: before, isUnsettled } = await readDayBefore(services, day);
  if (!isUnsettled) return;
  const { endsMs } = await agreedTime(services);
  if (phaseAt(auction, endsMs) === "CLOSED") return;
  refuse({ code: "day_before_unsettled", day, before, closesAtMs });
}
