/** What agents of the demo's accounts were told of the past. */
import { assert, assertEquals } from "@std/assert";
import { bidStatus } from "../../../domain/bids/bid.ts";
import { addDays, DAY_MS } from "../../../domain/day.ts";
import { EVENT_KEPT_MS, eventRecord } from "../../../domain/events/event.ts";
import { listEvents } from "../../../domain/events/list_events.ts";
import { fillStore } from "../../../tools/demo/fill_store.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";
import { eventsOf, removed, tell } from "../../support/told_events.ts";
import { openDemoWorld, TODAY, USUAL } from "./demo_world.ts";

const LIMIT = { limit: 1_000 };

Deno.test("the demo's accounts were told of each day they bid on, as settlement tells it", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const { store } = services;
  await fillStore(services, { days: 19, seed: 1 }, async (atMs, run) => {
    const nowMs = clock.now();
    clock.set(atMs);
    try {
      return await run();
    } finally {
      clock.set(nowMs);
    }
  });
  const expected = { closed: 0, won: 0, lost: 0, payment_failed: 0, void: 0 };
  for (let back = 1; back <= 20; back++) {
    const day = addDays(AUCTION_DAY, -back);
    const auction = await store.auctions.find(day);
    for (const bid of await store.listBids(day, LIMIT)) {
      expected.closed++;
      const status = bidStatus(bid, auction);
      assert(status !== "active");
      expected[status]++;
      const events = (await eventsOf(services, bid.accountId))
        .filter(({ data }) => data["bid_id"] === bid.id).map(eventRecord);
      assertEquals(events.map(({ type }) => type), [
        "auction.closed",
        `bid.${status}`,
      ]);
      assertEquals(events.map(({ timestamp }) => Date.parse(timestamp)), [
        auction?.closedAtMs,
        auction?.settledAtMs,
      ]);
    }
  }
  assert(expected.won > 10 && expected.lost > 10, JSON.stringify(expected));
  const types = (await everyEvent(services)).map(({ type }) => type);
  const count = (type: string) => types.filter((each) => each === type).length;
  assertEquals(count("invoice.paid"), expected.won);
  assertEquals(count("spotlight.removed"), 1);
  assertEquals(count("invoice.refunded"), 1);
});

type Filled = Parameters<typeof eventsOf>[0];

async function everyEvent(services: Filled) {
  const accounts = await services.store.listAccounts(LIMIT);
  return (await Promise.all(
    accounts.map(({ id }) => eventsOf(services, id)),
  )).flat();
}

Deno.test("the demo tells of no day whose events would be gone, and new events stand behind the old", async () => {
  await using world = await openDemoWorld();
  const { services, clock } = world;
  await fillStore(services, USUAL);
  const events = await everyEvent(services);
  const oldestMs = Math.min(...events.map(({ position }) => position));
  const ageMs = clock.now() - oldestMs;
  assert(ageMs < EVENT_KEPT_MS && ageMs > EVENT_KEPT_MS - 2 * DAY_MS);
  const [{ accountId } = { accountId: "" }] = events;
  await tell(services, accountId, removed(TODAY));
  const scopes = ["bids:read", "reports:read"] as const;
  const page = await listEvents(services, {
    accountId,
    scopes,
    after: 0,
    limit: 100,
  });
  const places = page.events.map(({ position }) => position);
  assertEquals(places, places.toSorted((a, b) => a - b));
  assertEquals(page.events.at(-1)?.data, { day: TODAY });
});
