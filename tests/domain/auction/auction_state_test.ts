import { assertEquals } from "@std/assert";
import type { Auction } from "../../../domain/auction/auction.ts";
import {
  auctionStateOf,
  readAuctionState,
} from "../../../domain/auction/auction_state.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { addDays, type Day } from "../../../domain/day.ts";
import { PRACTICE } from "../../../domain/sandbox/practice_records.ts";
import {
  BID_DAY,
  BID_DAY_CLOSES_MS,
  bidBy,
  inBrowser,
  openBiddingWorld,
} from "../../support/bidding_world.ts";

Deno.test("auctionStateOf() is IDLE and empty for a day nobody opened", () => {
  assertEquals(auctionStateOf(BID_DAY, null, 0, BID_DAY_CLOSES_MS), {
    day: BID_DAY,
    phase: "IDLE",
    bidCount: 0,
    openedAt: null,
    closesAt: null,
    closedAt: null,
  });
});

Deno.test("auctionStateOf() has no openedAt for a day that was opened when it was over", () => {
  const auction: Auction = {
    day: BID_DAY,
    phase: "CLOSED",
    openedAtMs: BID_DAY_CLOSES_MS - 1,
    closesAtMs: BID_DAY_CLOSES_MS,
    closedAtMs: BID_DAY_CLOSES_MS + 5,
    settledAtMs: null,
  };
  const openedAt = (openedAtMs: number) =>
    auctionStateOf(BID_DAY, { ...auction, openedAtMs }, 0, Infinity).openedAt;
  assertEquals(openedAt(BID_DAY_CLOSES_MS - 1), "2026-11-20T23:54:59.999Z");
  assertEquals(openedAt(BID_DAY_CLOSES_MS), null);
  assertEquals(openedAt(BID_DAY_CLOSES_MS + 4), null);
});

Deno.test("readAuctionState() counts every bidder, wherever they bid", async () => {
  await using world = await openBiddingWorld();
  const [ada, bob] = [await world.agent("ada"), await world.agent("bob")];
  await placeBid(world.services, bidBy(ada));
  await placeBid(world.services, bidBy(bob, await inBrowser(world, bob)));
  await placeBid(world.services, bidBy(ada, { amountCents: 2_000 }));
  const state = await readAuctionState(world.services, BID_DAY);
  assertEquals(state.bidCount, 2);
});

Deno.test("readAuctionState() is CLOSED from closesAt on, closed or not", async () => {
  await using world = await openBiddingWorld();
  world.clock.set(BID_DAY_CLOSES_MS);
  const state = await readAuctionState(world.services, BID_DAY);
  assertEquals(state.phase, "CLOSED");
  assertEquals(state.closedAt, null);
});

Deno.test("auctionStateOf() writes moments as ISO 8601, none as null", () => {
  const auction: Auction = {
    day: BID_DAY,
    phase: "OPEN",
    openedAtMs: 0,
    closesAtMs: BID_DAY_CLOSES_MS,
    closedAtMs: null,
    settledAtMs: null,
  };
  assertEquals(auctionStateOf(BID_DAY, auction, 3, BID_DAY_CLOSES_MS), {
    day: BID_DAY,
    phase: "CLOSED",
    bidCount: 3,
    openedAt: "1970-01-01T00:00:00.000Z",
    closesAt: "2026-11-20T23:55:00.000Z",
    closedAt: null,
  });
});

Deno.test("readAuctionState() says when a coming day opens and closes, and where to go on from one that is over", async () => {
  await using world = await openBiddingWorld();
  const coming = async (day: Day) => {
    const { phase, opensAt, closesAt, nextDay } = await readAuctionState(
      world.services,
      day,
    );
    return { phase, opensAt, closesAt, nextDay };
  };
  const tomorrow = addDays(BID_DAY, 1);
  assertEquals(await coming(tomorrow), {
    phase: "IDLE",
    opensAt: `${tomorrow}T00:00:00.000Z`,
    closesAt: `${tomorrow}T23:55:00.000Z`,
    nextDay: null,
  });
  const closesAt = `${BID_DAY}T23:55:00.000Z`;
  const own = { closesAt, opensAt: null };
  assertEquals(await coming(BID_DAY), { phase: "OPEN", ...own, nextDay: null });
  assertEquals(await coming(addDays(BID_DAY, -400)), {
    phase: "IDLE",
    opensAt: null,
    closesAt: null,
    nextDay: BID_DAY,
  });
  world.clock.set(BID_DAY_CLOSES_MS);
  assertEquals(await coming(BID_DAY), {
    phase: "CLOSED",
    ...own,
    nextDay: tomorrow,
  });
});

Deno.test("readAuctionState() leads to the day of a rehearsal alone, and from that to none", async () => {
  await using world = await openBiddingWorld();
  const settings = {
    ...world.services.settings,
    practice: { ...PRACTICE, day: BID_DAY },
  };
  const services = { ...world.services, settings };
  const outlook = async (day: Day) => {
    const { opensAt, closesAt, nextDay } = await readAuctionState(
      services,
      day,
    );
    return { opensAt, closesAt, nextDay };
  };
  const tomorrow = addDays(BID_DAY, 1);
  assertEquals(await outlook(tomorrow), {
    opensAt: null,
    closesAt: null,
    nextDay: BID_DAY,
  });
  world.clock.set(BID_DAY_CLOSES_MS);
  assertEquals(await outlook(BID_DAY), {
    opensAt: null,
    closesAt: `${BID_DAY}T23:55:00.000Z`,
    nextDay: null,
  });
});
