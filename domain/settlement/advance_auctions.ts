import { sweep } from "../tasks/sweep.ts";
import { addDays, type Day, dayOf } from "../day.ts";
import { notifyBidders } from "./notify_bidders.ts";
import { TemporaryFailure } from "../failure.ts";
import type { Services } from "../ports.ts";
import { opensAtMs, phaseAt } from "../auction/auction.ts";
import { type AgreedTime, agreedTime } from "./agreed_time.ts";
import { closeAuction } from "./close_auction.ts";
import { openAuction } from "../auction/open_auction.ts";
import { isSettlementLate, settleDay } from "./settle_day.ts";

/** Days one run works through; the next run goes on from there. */
const DAYS_PER_RUN = 400;
/** Unfinished settlements one run takes up. */
const SETTLEMENTS_PER_RUN = 100;
/** Bidders are told of the close for so long before the day is settled. */
const TOLD_FIRST_MS = 5_000;
/** No settlement is begun later in a run, or the next opening would be late. */
const SETTLING_MS = 40_000;

/** What a run left unfinished, for readiness and the operator. */
export interface AdvanceReport {
  /** Days whose work failed and will be tried again. */
  failedDays: Day[];
  /** Whether a day waits for so long that it wants a person. */
  isLate: boolean;
}

/**
 * Makes the record say what the clock says: opens today's auction, closes what
 * has passed its time, works on every unfinished settlement, for every day
 * since the last settled one. Safe to run twice, late, or after an outage of
 * days.
 */
export async function advanceAuctions(
  services: Services,
): Promise<AdvanceReport> {
  const { store, clock } = services;
  const today = dayOf(clock.now());
  const [calendar, todays] = await store.getMany([
    store.calendar.ref(),
    store.auctions.ref(today),
  ]);
  const failed = new Set<Day>();
  const first = calendar === null
    ? today
    : calendar.settledThroughDay === null
    ? calendar.launchDay
    : addDays(calendar.settledThroughDay, 1);
  // As in most minutes of a day: there is nothing to open, close or mark.
  const isOpen = first === today && phaseAt(todays, clock.now()) === "OPEN";
  const time = isOpen
    ? { nowMs: clock.now(), endsMs: clock.now() }
    : await agreedTime(services);
  if (!isOpen) {
    await openAndClose(services, failed, first, time);
    // Closed comes before won, unless so many have to be told.
    await notifyBidders(services, TOLD_FIRST_MS);
  }
  const isLate = await settleUnfinished(services, failed, time);
  if (isOpen) return { failedDays: [...failed], isLate };
  await markSettled(services, first, today);
  await notifyBidders(services);
  return { failedDays: [...failed], isLate };
}

async function openAndClose(
  services: Services,
  failed: Set<Day>,
  first: Day,
  time: AgreedTime,
): Promise<void> {
  const today = dayOf(time.nowMs);
  let day = first;
  for (let count = 0; count < DAYS_PER_RUN && day <= today; count++) {
    await collectFailure(
      services,
      failed,
      day,
      () => openOrClose(services, day, time),
    );
    day = addDays(day, 1);
  }
}

/**
 * Nothing is settled while the store is on hold.
 *
 * @returns whether a day waits for so long that it wants a person
 */
async function settleUnfinished(
  services: Services,
  failed: Set<Day>,
  { endsMs }: AgreedTime,
): Promise<boolean> {
  const { store, clock } = services;
  if (await store.currentHold() !== null) return false;
  const today = dayOf(endsMs);
  const limit = SETTLEMENTS_PER_RUN;
  const open = await store.listOpenSettlements({ limit });
  const isLate = open.some((each) => isSettlementLate(each, clock.now()));
  // Closed ahead, as days could be once: it settles when it has begun.
  const begun = open.filter(({ day }) => day <= today);
  // Who has waited longest comes first: one that is tried again and again does
  // not keep the others from their turn.
  const turns = begun.toSorted((a, b) => a.dueAtMs - b.dueAtMs);
  await sweep(clock, {
    due: () => Promise.resolve(turns),
    beginWithinMs: SETTLING_MS,
    attempt: ({ day }) =>
      collectFailure(services, failed, day, async () => {
        await settleDay(services, { day });
      }),
  });
  return isLate;
}

async function openOrClose(
  services: Services,
  day: Day,
  { nowMs, endsMs }: AgreedTime,
): Promise<void> {
  const { settings } = services;
  if (nowMs < opensAtMs(day, settings.auctionHours)) return;
  const auction = await openAuction(services, { day });
  // The hours may have changed since: what counts is what bidders were told.
  if (phaseAt(auction, endsMs) !== "CLOSED") return;
  await closeAuction(services, { day });
}

/** One day's trouble never keeps the others waiting. */
async function collectFailure(
  services: Services,
  failed: Set<Day>,
  day: Day,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    failed.add(day);
    services.log.error("auction.advance_failed", {
      day,
      error: error.name,
      temporary: error instanceof TemporaryFailure,
      message: error.message,
    });
  }
}

/** Moves the mark past every day that needs no more work. */
async function markSettled(
  services: Services,
  first: Day,
  today: Day,
): Promise<void> {
  const { store } = services;
  for (let day = first; day <= today; day = addDays(day, 1)) {
    const moved = await store.transact(async (tx) => {
      const [calendar, auction] = await tx.getMany([
        tx.calendar.ref(),
        tx.auctions.ref(day),
      ]);
      if (calendar === null || !auction || auction.settledAtMs === null) {
        return false;
      }
      const through = calendar.settledThroughDay;
      if (through === null || through < day) {
        tx.calendar.save({ ...calendar, settledThroughDay: day });
      }
      return true;
    });
    if (!moved) return;
  }
}
