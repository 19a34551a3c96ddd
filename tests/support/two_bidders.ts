/**
 * A closed day with two bidders whose settlement is tried each minute, as by cron.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { Services } from "../../domain/ports.ts";
import { settleDay } from "../../domain/settlement/settle_day.ts";
import type { Settlement } from "../../domain/settlement/settlement.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "./auction_world.ts";
import { closeDay, outcomeOfDay, settleInTime } from "./settlement_outcome.ts";

const day = AUCTION_DAY;
export const MINUTE_MS = 60_000;

/** `ada` bids 2500, `bob` 2400, and the auction has just closed. */
export async function twoBidders(): Promise<AuctionWorld> {
  const world = await openAuctionWorld({ isAtHand: true });
  await world.bid(await world.advertiser("ada"), 2500);
  await world.bid(await world.advertiser("bob"), 2400);
  world.clock.set(`${day}T23:55:00.000Z`);
  await closeDay(world.services);
  return world;
}

/** The settlement as it stands. */
export async function rowOf({ services }: AuctionWorld): Promise<Settlement> {
  const row = await services.store.settlements.find(day);
  assert(row !== null);
  return row;
}

/** Tries each minute, as cron does. */
export async function tryFor(
  world: AuctionWorld,
  services: Services,
  minutes: number,
): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    await settleDay(services, { day });
    world.clock.advance(MINUTE_MS);
  }
}

/** The day goes to `ada`, who alone is charged. */
export async function assertBestWins(world: AuctionWorld): Promise<void> {
  await settleInTime(world);
  const { bids, chargedCents } = await outcomeOfDay(world);
  assertEquals(bids, { acc_ada: "won", acc_bob: "lost" });
  assertEquals(chargedCents, [2500]);
}

/** Nobody gets an answer for `ada`'s bid any more: the day goes to `bob`. */
export async function assertNextWins(
  world: AuctionWorld,
  services: Services,
): Promise<void> {
  await settleInTime(world, services);
  const { bids, chargedCents } = await outcomeOfDay(world);
  assertEquals(bids, { acc_ada: "payment_failed", acc_bob: "won" });
  assertEquals(chargedCents, [2400]);
}
