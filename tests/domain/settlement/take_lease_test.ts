import { assertEquals, assertRejects } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { addDays } from "../../../domain/day.ts";
import { StoreOnHold } from "../../../domain/failure.ts";
import {
  isSettlementLate,
  releaseLease,
  settleDay,
  takeLease,
} from "../../../domain/settlement/settle_day.ts";
import { newSaga } from "../../../domain/settlement/saga.ts";
import type { Settlement } from "../../../domain/settlement/settlement.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";
import { assertRefused } from "../../support/refused.ts";
import { putOnHold } from "../../support/restored_world.ts";
import { closeDay } from "../../support/settlement_outcome.ts";

const day = AUCTION_DAY;
const MINUTE_MS = 60_000;

/** A day of one bidder, closed, whose settlement is due at once. */
async function oneBidder() {
  const world = await openAuctionWorld();
  await world.bid(await world.advertiser("ada"), 900);
  await closeDay(world.services);
  const change = (changes: (settlement: Settlement) => Partial<Settlement>) =>
    world.services.store.transact(async (tx) => {
      const settlement = await tx.settlements.find(day);
      if (settlement === null) throw new Error("It is not closed");
      tx.settlements.save({ ...settlement, ...changes(settlement) });
    });
  const take = (force = false) =>
    takeLease(newSaga(world.services, day), force);
  return {
    ...world,
    change,
    take,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

Deno.test("takeLease() leaves a settlement to who holds it until that ends, even by force", async () => {
  await using world = await oneBidder();
  const { clock } = world;
  const first = await world.take();
  assertEquals(first?.attempts, 1);
  clock.advance(45_000 - 1);
  assertEquals(await world.take(true), null);
  clock.advance(1);
  assertEquals((await world.take(true))?.attempts, 2);
});

Deno.test("releaseLease() ends the lease, and puts the next attempt off for longer each time", async () => {
  await using world = await oneBidder();
  const { clock, services } = world;
  for (const pauseMs of [2_000, 4_000, 8_000]) {
    const saga = newSaga(services, day);
    await takeLease(saga, true);
    await releaseLease(saga, null, { wait: "no answer" });
    const said = JSON.parse(world.log.lines.at(-1) ?? "");
    assertEquals([said.event, said.why], ["settlement.waits", "no answer"]);
    const row = await services.store.settlements.find(day);
    assertEquals([row?.leaseOwner, row?.leaseUntilMs], [null, 0]);
    assertEquals(row?.dueAtMs, clock.now() + pauseMs);
    clock.advance(pauseMs - 1);
    assertEquals(await world.take(), null, "its turn has not come");
    clock.advance(1);
  }
});

Deno.test("takeLease() takes up no settlement that has ended", async () => {
  await using world = await oneBidder();
  await world.change(() => ({ state: "settled" }));
  assertEquals(await world.take(true), null);
});

Deno.test("settleDay() touches nothing while the store is on hold", async () => {
  await using world = await oneBidder();
  const { services, simulator } = world;
  await putOnHold(services);
  simulator.control.clearRequests();
  await assertRejects(() => settleDay(services, { day }), StoreOnHold);
  assertEquals(simulator.control.requests(), []);
  const row = await services.store.settlements.find(day);
  assertEquals([row?.attempts, row?.leaseOwner], [0, null]);
});

Deno.test("settleDay() ends no auction that is open, and says by which clock", async () => {
  await using world = await openAuctionWorld();
  const { services } = world;
  const refused = () =>
    assertRefused(() => settleDay(services, { day }), "auction_not_closed");
  const code = "auction_not_closed" as const;
  assertEquals(await refused(), { code, day, phase: "IDLE", by: "own" });
  await openAuction(services, { day });
  assertEquals(await refused(), { code, day, phase: "OPEN", by: "own" });
});

Deno.test("settleDay() answers a day that has settled by a clock that is behind it, and begins no other", async () => {
  await using world = await oneBidder();
  const { services, clock } = world;
  clock.set(`${addDays(day, -1)}T12:00:00.000Z`);
  await assertRefused(() => settleDay(services, { day }), "day_not_begun");
  await world.change(() => ({ state: "settled" }));
  assertEquals((await settleDay(services, { day })).state, "settled");
});

Deno.test("isSettlementLate() gives a day two hours, to the millisecond", () => {
  const isLateAfter = (ms: number) =>
    isSettlementLate({ createdAtMs: 1_000 }, 1_000 + ms);
  assertEquals(isLateAfter(120 * MINUTE_MS - 1), false);
  assertEquals(isLateAfter(120 * MINUTE_MS), true);
});
