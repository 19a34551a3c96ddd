import { addDays, type Day, parseDay } from "../../domain/day.ts";
import type { Log, Store } from "../../domain/ports.ts";
import { PublicRecords } from "../../domain/spotlights/public_records.ts";
import type { Spotlight } from "../../domain/spotlights/spotlight.ts";
import { MemoryLog } from "./captured_logs.ts";

/** Where the site is in tests. */
export const TEST_BASE_URL = "https://spotlight.example";

/** The day whose auction runs when tests begin; nothing of it is public. */
export const TEST_TODAY = dayText("2026-11-20");

/** Reads a day a test wrote down. */
export function dayText(text: string): Day {
  const day = parseDay(text);
  if (day === null) throw new TypeError(`Cannot read day "${text}"`);
  return day;
}

/** A settled Spotlight as a test wants it. */
export function spotlight(
  day: Day | string,
  changes: Partial<Spotlight> = {},
): Spotlight {
  return {
    day: dayText(day),
    headline: `Headline of ${day}`,
    description: `What is advertised on ${day}`,
    advertiser: "Acme GmbH",
    targetUrl: `https://acme.example/${day}`,
    contentType: "paid_advertisement",
    accountId: "acc_00000000000000000001",
    adId: "ad_00000000000000000001",
    settledAtMs: Date.parse(`${day}T23:56:00.000Z`),
    removedAtMs: null,
    removalReason: null,
    ...changes,
  };
}

/** The same Spotlight after an operator removed it. */
export function removed(settled: Spotlight): Spotlight {
  return { ...settled, removedAtMs: 1, removalReason: "policy" };
}

/** So many settled days in a row, the newest yesterday, oldest first. */
export function settledDays(count: number): Spotlight[] {
  return Array.from(
    { length: count },
    (_, at) => spotlight(addDays(TEST_TODAY, at - count)),
  );
}

/** Stores Spotlights as settlement does, telling every isolate. */
export async function settle(
  store: Store,
  ...spotlights: readonly Spotlight[]
): Promise<void> {
  for (let at = 0; at < spotlights.length; at += 500) {
    await store.transact((tx) => {
      for (const one of spotlights.slice(at, at + 500)) {
        tx.spotlights.save(one);
      }
      tx.touchSpotlights();
    });
  }
}

/** The public records over a store, read once. */
export async function publicRecordsOf(
  store: Store,
  log: Log = new MemoryLog(),
): Promise<PublicRecords> {
  const records = new PublicRecords({ store, log, baseUrl: TEST_BASE_URL });
  await records.refresh();
  return records;
}
