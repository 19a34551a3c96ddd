import type { Day } from "../day.ts";
import { addDays } from "../day.ts";
import type { Services, Transaction } from "../ports.ts";
import { readAll } from "../read_all.ts";
import { type Auction, type ShownWindow, shownWindow } from "./auction.ts";

/**
 * When the winners of days are on show, as it really is: a day that an operator
 * closed early is shown from then on, and ends the window of the day before.
 */
export async function readShownWindows(
  { store, settings }: Pick<Services, "store" | "settings">,
  days: readonly Day[],
): Promise<ReadonlyMap<Day, ShownWindow>> {
  const around = [...new Set(days.flatMap((day) => [day, addDays(day, 1)]))];
  const found = await readAll(
    store,
    around.map((day) => store.auctions.ref(day)),
  );
  const auctionOf = (day: Day) => found[around.indexOf(day)] ?? null;
  return new Map(days.map((day) => [
    day,
    shownWindow(
      day,
      settings.auctionHours,
      closings(auctionOf(day), auctionOf(addDays(day, 1))),
    ),
  ]));
}

/** The window of one day. */
export async function readShownWindow(
  services: Pick<Services, "store" | "settings">,
  day: Day,
): Promise<ShownWindow> {
  const windows = await readShownWindows(services, [day]);
  return windows.get(day) ?? shownWindow(day, services.settings.auctionHours);
}

/** The window of one day, in a commit that does not depend on it. */
export async function peekShownWindow(
  tx: Pick<Transaction, "peek" | "auctions">,
  { auctionHours }: Pick<Services["settings"], "auctionHours">,
  day: Day,
): Promise<ShownWindow> {
  const [own, next] = await Promise.all([
    tx.peek(tx.auctions.ref(day)),
    tx.peek(tx.auctions.ref(addDays(day, 1))),
  ]);
  return shownWindow(day, auctionHours, closings(own, next));
}

function closings(own: Auction | null, next: Auction | null) {
  return { fromMs: own?.closedAtMs, untilMs: next?.closedAtMs };
}
