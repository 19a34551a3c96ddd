/** When an event says that its thing happened, however late it is told. */
import { assert, assertEquals } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { eventRecord } from "../../../domain/events/event.ts";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { notifyBidders } from "../../../domain/settlement/notify_bidders.ts";
import {
  AUCTION_DAY as day,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { openPaidDay } from "../../support/paid_day.ts";
import { settleInTime } from "../../support/settlement_outcome.ts";
import { openTestStore } from "../../support/store.ts";
import { eventsOf, removed, tell } from "../../support/told_events.ts";

Deno.test("a closing and a loss are told with their own moments, however much later the bidders are told", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  await openAuction(services, { day });
  await world.bid(await world.advertiser("ada"), 900);
  await world.bid(await world.advertiser("bob"), 800);
  clock.set(`${day}T12:30:00.125Z`);
  await closeAuction(services, { day });
  clock.advance(90_000);
  await settleInTime(world);
  const auction = await services.store.auctions.find(day);
  clock.advance(600_000);
  await notifyBidders(services);
  const events = (await eventsOf(services, "acc_bob")).map(eventRecord);
  const settledMs = auction?.settledAtMs;
  assert(settledMs && settledMs < clock.now());
  assertEquals(events.map(({ type, timestamp }) => [type, timestamp]), [
    ["auction.closed", `${day}T12:30:00.125Z`],
    ["bid.lost", new Date(settledMs).toISOString()],
  ]);
  // Where it stands is still the order in which it was told.
  const [closed] = await eventsOf(services, "acc_bob");
  assertEquals(closed?.position, clock.now());
});

Deno.test("what one commit tells of is told with one moment, in its order", async () => {
  await using paid = await openPaidDay();
  const events = await eventsOf(paid.world.services, "acc_lucky");
  const { paidAtMs } = await paid.invoice();
  const ofSale = events.filter(({ type }) => type !== "auction.closed");
  assertEquals(ofSale.map(({ type }) => type), ["bid.won", "invoice.paid"]);
  assert(paidAtMs !== null);
  for (const event of ofSale) {
    const { timestamp } = eventRecord(event);
    assertEquals(timestamp, new Date(paidAtMs).toISOString());
  }
});

Deno.test("a dispute is told with the moment at which it began, and its end with the moment it was seen", async () => {
  await using paid = await openPaidDay();
  const { services, simulator, clock } = paid.world;
  const { paymentId } = await paid.invoice();
  assert(paymentId !== null);
  const { id } = simulator.control.disputes.open(paymentId);
  clock.advance(3_600_000);
  await syncDispute(services, id);
  simulator.control.disputes.turn(id, "won");
  clock.advance(3_600_000);
  await syncDispute(services, id);
  const { openedAtMs } = await services.store.disputes.find(id) ?? {};
  assert(openedAtMs !== undefined && openedAtMs < clock.now() - 3_600_000);
  const told = (await eventsOf(services, "acc_lucky")).map(eventRecord)
    .filter(({ type }) => type === "invoice.disputed");
  assertEquals(told.map(({ timestamp }) => Date.parse(timestamp)), [
    openedAtMs,
    clock.now(),
  ]);
});

Deno.test("nothing is told to have happened after it was told", async () => {
  await using test = await openTestStore();
  const nowMs = test.clock.now();
  await tell(test, "acc_ada", { ...removed("a"), atMs: nowMs + 60_000 });
  const [event] = await eventsOf(test, "acc_ada");
  assert(event !== undefined);
  assertEquals(Date.parse(eventRecord(event).timestamp), nowMs);
});
