import { addDays, type Day, dayOf } from "../day.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { type Auction, closesAtMs } from "./auction.ts";

/** How many days ahead the operator may open an auction early. */
export const OPEN_AHEAD_DAYS = 31;

/**
 * Opens the day's auction; a repeat returns what stands. A day that was missed
 * opens already past its `closesAt`, so no bid can land in it.
 *
 * @throws {Refused} `auction_not_openable` before launch or too far ahead
 */
export async function openAuction(
  services: Services,
  input: { day: Day },
): Promise<Auction> {
  const { store, clock, settings, log } = services;
  const { day } = input;
  const { auction, isNew } = await store.transact(async (tx) => {
    const now = clock.now();
    const [standing, calendar] = await tx.getMany([
      tx.auctions.ref(day),
      tx.calendar.ref(),
    ]);
    if (standing !== null) return { auction: standing, isNew: false };
    const today = dayOf(now);
    const launchDay = calendar?.launchDay ?? (day < today ? day : today);
    if (day < launchDay) {
      refuseToOpen(day, `the service began on ${launchDay}`);
    }
    if (day > addDays(today, OPEN_AHEAD_DAYS)) {
      refuseToOpen(day, `it is more than ${OPEN_AHEAD_DAYS} days ahead`);
    }
    const auction: Auction = {
      day,
      phase: "OPEN",
      openedAtMs: now,
      closesAtMs: closesAtMs(day, settings.auctionHours),
      closedAtMs: null,
      settledAtMs: null,
    };
    tx.auctions.save(auction);
    tx.noteChange({ before: { phase: "IDLE" }, after: { phase: "OPEN" } });
    if (calendar === null) {
      tx.calendar.save({ launchDay, settledThroughDay: null });
    }
    return { auction, isNew: true };
  });
  if (isNew) log.info("auction.opened", { day });
  return auction;
}

function refuseToOpen(day: Day, why: string): never {
  const message = `Cannot open the auction of ${day}: ${why}`;
  refuse({ code: "auction_not_openable", day, message });
}
