/** An operator's early close of a day, which ends the time on show of the one before. */
import { assert, assertEquals } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { addDays } from "../../../domain/day.ts";
import type { Services } from "../../../domain/ports.ts";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { closeEarly } from "../../../domain/settlement/close_early.ts";
import { readDayBefore } from "../../../domain/settlement/day_before.ts";
import { removeSpotlight } from "../../../domain/spotlights/remove_spotlight.ts";
import {
  AUCTION_DAY as day,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { assertRefused } from "../../support/refused.ts";
import {
  closeDay,
  outcomeOfDay,
  settleInTime,
} from "../../support/settlement_outcome.ts";

const next = addDays(day, 1);
const CLOSES_MS = Date.parse(`${next}T23:55:00.000Z`);

/** A day with one bid that was closed at its hour, and the next one begun. */
async function begunNext(): Promise<AuctionWorld> {
  const world = await openAuctionWorld();
  const { services, clock } = world;
  await openAuction(services, { day });
  await world.bid(await world.advertiser("ada"), 2500);
  clock.set(`${day}T23:55:00.000Z`);
  await closeDay(services);
  clock.set(`${next}T00:00:04.000Z`);
  await openAuction(services, { day: next });
  return world;
}

/** The services whose processor tells another time. */
function toldTime(services: Services, toldMs: number): Services {
  const retrieveClock = () => Promise.resolve(toldMs);
  return { ...services, processor: { ...services.processor, retrieveClock } };
}

Deno.test("an auction is not closed before its hour while the day before is being settled, and is once that has its winner", async () => {
  await using world = await begunNext();
  const { services } = world;
  const close = () => closeEarly(services, { day: next });
  const refusal = await assertRefused(close, "day_before_unsettled");
  assertEquals(refusal, {
    code: "day_before_unsettled",
    day: next,
    before: day,
    closesAtMs: CLOSES_MS,
  });
  assertEquals((await services.store.auctions.find(next))?.phase, "OPEN");
  await settleInTime(world);
  assertEquals((await outcomeOfDay(world)).bids, { acc_ada: "won" });
  const { isUnsettled, shown } = await readDayBefore(services, next);
  assertEquals(isUnsettled, false);
  assertEquals(shown?.untilMs, CLOSES_MS);
  assert(shown?.advertiser);
  assertEquals((await close()).phase, "CLOSED");
  assertEquals((await readDayBefore(services, next)).shown, null);
});

Deno.test("an early close cuts nothing of a Spotlight that was removed", async () => {
  await using world = await begunNext();
  const { services } = world;
  await settleInTime(world);
  await removeSpotlight(services, { day, reason: "It is unlawful." });
  const { isUnsettled, shown } = await readDayBefore(services, next);
  assertEquals([isUnsettled, shown], [false, null]);
});

Deno.test("a day before that was never opened, or has no bid, holds up no early close for long", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  await openAuction(services, { day });
  assertEquals((await closeEarly(services, { day })).phase, "CLOSED");
  clock.set(`${next}T00:00:04.000Z`);
  await openAuction(services, { day: next });
  const close = () => closeEarly(services, { day: next });
  await assertRefused(close, "day_before_unsettled");
  await settleInTime(world, services, { minutes: 1 });
  assertEquals((await readDayBefore(services, next)).shown, null);
  assertEquals((await close()).phase, "CLOSED");
});

Deno.test("closing at its hour, or again, waits for no day before", async () => {
  await using world = await begunNext();
  const { services, clock } = world;
  clock.set(CLOSES_MS - 1);
  const close = () => closeEarly(services, { day: next });
  await assertRefused(close, "day_before_unsettled");
  clock.set(CLOSES_MS);
  const closed = await close();
  assertEquals(closed.phase, "CLOSED");
  assertEquals(await close(), closed);
  const third = addDays(next, 1);
  await assertRefused(
    () => closeEarly(services, { day: third }),
    "auction_not_closable",
  );
  await openAuction(services, { day: third });
  await assertRefused(
    () => closeEarly(services, { day: third }),
    "day_not_begun",
  );
});

Deno.test("a clock of ours that is past the hour closes no auction early while the day before is unsettled", async () => {
  await using world = await begunNext();
  world.clock.set(CLOSES_MS);
  const services = toldTime(world.services, CLOSES_MS - 3_600_000);
  const close = () => closeEarly(services, { day: next });
  await assertRefused(close, "day_before_unsettled");
  const { store } = services;
  assertEquals((await store.auctions.find(next))?.phase, "OPEN");
});

Deno.test("a day that is closed already may be closed again, whatever the day before is", async () => {
  await using world = await begunNext();
  const { services } = world;
  const closed = await closeAuction(services, { day: next });
  assertEquals(await closeEarly(services, { day: next }), closed);
});
