import { assert, assertEquals } from "@std/assert";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { bidStatus, compareBids } from "../../../domain/bids/bid.ts";
import { daysBetween } from "../../../domain/day.ts";
import { fillStore } from "../../../tools/demo/fill_store.ts";
import type { Services } from "../../../domain/ports.ts";
import type { Spotlight } from "../../../domain/spotlights/spotlight.ts";
import { openDemoWorld, TODAY, USUAL } from "./demo_world.ts";

const LIMIT = { limit: 1_000 };

/** Runs a check on every past day of a filled store. */
async function onEveryDay(
  check: (services: Services, spotlight: Spotlight) => Promise<void>,
): Promise<void> {
  await using world = await openDemoWorld();
  await fillStore(world.services, USUAL);
  const days = await world.services.store.listSpotlights(null, LIMIT);
  for (const spotlight of days) await check(world.services, spotlight);
}

Deno.test("a past demo day is closed and settled after its last bid", async () => {
  await onEveryDay(async ({ store }, { day, settledAtMs }) => {
    const auction = await store.auctions.find(day);
    const settlement = await store.settlements.find(day);
    assertEquals(auction?.phase, "CLOSED");
    assertEquals(auction?.settledAtMs, settledAtMs);
    assertEquals(settlement?.state, "settled");
    for (const bid of await store.listBids(day, LIMIT)) {
      assert(bid.placedAtMs >= (auction?.openedAtMs ?? Infinity));
      assert(bid.placedAtMs < (auction?.closesAtMs ?? 0));
    }
    assertEquals(await store.listOpenSettlements(LIMIT), []);
  });
});

Deno.test("the best demo bid wins unless its card is refused", async () => {
  let refusals = 0;
  await onEveryDay(async ({ store }, spotlight) => {
    const { day } = spotlight;
    const auction = await store.auctions.find(day);
    const ranked = (await store.listBids(day, LIMIT)).toSorted(compareBids);
    const statuses = ranked.map((bid) => bidStatus(bid, auction));
    const won = statuses.indexOf("won");
    refusals += statuses.filter((each) => each === "payment_failed").length;
    assert(statuses.slice(0, won).every((each) => each === "payment_failed"));
    assert(statuses.slice(won + 1).every((each) => each === "lost"));
    const winner = ranked[won];
    assertEquals(winner?.accountId ?? null, spotlight.accountId);
    assertEquals(winner?.adId ?? null, spotlight.adId);
    const isPaid = spotlight.contentType === "paid_advertisement";
    assertEquals(winner !== undefined, isPaid);
  });
  assertEquals(refusals, 1);
});

Deno.test("every paid demo day is in the ledger, balanced, and no other", async () => {
  await onEveryDay(async ({ store }, { day, accountId }) => {
    const entry = await store.ledger.find(`settlement:${day}`);
    const bid = await store.bids.find(day, accountId ?? "nobody");
    assertEquals(
      entry?.lines.map(({ amountCents }) => amountCents),
      bid ? [bid.amountCents, -bid.amountCents] : undefined,
    );
  });
});

Deno.test("a demo bid's history ends in its amount, and all bids are counted", async () => {
  await onEveryDay(async ({ store }, { day }) => {
    const bids = await store.listBids(day, LIMIT);
    const [count] = await store.getMany([store.bidCounts.ref(day)]);
    assertEquals(count, bids.length);
    for (const bid of bids) {
      const events = await store.listBidEvents(bid.id, LIMIT);
      const kinds = events.map(({ kind }) => kind);
      assertEquals(kinds[0], "placed");
      assert(kinds.slice(1).every((kind) => kind === "raised"));
      const times = events.map(({ atMs }) => atMs);
      assertEquals(times, times.toSorted((a, b) => a - b));
      const last = events.at(-1);
      assertEquals(
        [last?.amountCents, last?.atMs],
        [bid.amountCents, bid.placedAtMs],
      );
    }
  });
});

Deno.test("a demo advertiser's paid wins are its paid days", async () => {
  await using world = await openDemoWorld();
  const { store } = world.services;
  await fillStore(world.services, USUAL);
  const days = await store.listSpotlights(null, LIMIT);
  for (const account of await store.listAccounts(LIMIT)) {
    const won = days.filter(({ accountId }) => accountId === account.id);
    assertEquals(account.paidWins, won.length);
  }
});

Deno.test("a suspended demo advertiser has not bid since", async () => {
  await using world = await openDemoWorld();
  const { store } = world.services;
  await fillStore(world.services, USUAL);
  const accounts = await store.listAccounts(LIMIT);
  const suspended = accounts.find((each) => each.suspendedAtMs !== null);
  assert(suspended?.suspendedAtMs);
  for (const { day } of await store.listSpotlights(null, LIMIT)) {
    const bid = await store.bids.find(day, suspended.id);
    assert(bid === null || bid.placedAtMs < suspended.suspendedAtMs);
    assert(bid === null || daysBetween(day, TODAY) >= 9);
  }
});

Deno.test("opening, closing and settling a past demo day change nothing", async () => {
  await using world = await openDemoWorld();
  const { services } = world;
  await fillStore(services, { ...USUAL, days: 20 });
  const before = await world.rows();
  for (const { day } of await services.store.listSpotlights(null, LIMIT)) {
    await openAuction(services, { day });
    await closeAuction(services, { day });
    await settleDay(services, { day, force: true });
  }
  assertEquals(await world.rows(), before);
});
