import { readShownWindow } from "../auction/read_shown_windows.ts";
import { addDays, type Day } from "../day.ts";
import type { Services } from "../ports.ts";

/** The day before one, whose time on show ends once that one is closed. */
export interface DayBefore {
  day: Day;
  /** Whether its auction was opened and has not come to an outcome yet. */
  isUnsettled: boolean;
  /** Who paid for it and is on show; null for nobody. */
  shown: {
    advertiser: string;
    /** When its time on show ends by what it was told, epoch ms. */
    untilMs: number;
  } | null;
}

/** What closing a day now would cut short. */
export async function readDayBefore(
  services: Pick<Services, "store" | "settings" | "clock">,
  day: Day,
): Promise<DayBefore> {
  const { store, clock } = services;
  const before = addDays(day, -1);
  const [[auction, spotlight], { untilMs }] = await Promise.all([
    store.getMany([
      store.auctions.ref(before),
      store.spotlights.ref(before),
    ]),
    readShownWindow(services, before),
  ]);
  const isShown = spotlight?.contentType === "paid_advertisement" &&
    spotlight.removedAtMs === null && clock.now() < untilMs;
  return {
    day: before,
    // A day without a record has no bid: nobody loses by it.
    isUnsettled: auction !== null && auction.settledAtMs === null,
    shown: isShown ? { advertiser: spotlight.advertiser, untilMs } : null,
  };
}
