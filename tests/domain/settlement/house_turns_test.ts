/** House ads take turns on the days that nobody wins. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import {
  makeHouseAd,
  moveHouseAd,
  removeHouseAd,
  restHouseAd,
} from "../../../domain/creatives/change_house_ads.ts";
import type { HouseAd } from "../../../domain/creatives/creative.ts";
import { BUILT_IN_HOUSE_AD } from "../../../domain/creatives/house_rotation.ts";
import { addDays, type Day } from "../../../domain/day.ts";
import type { Services } from "../../../domain/ports.ts";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";

/** Settles the day after so many days without a bid; its headline. */
async function settleAt(world: AuctionWorld, n: number): Promise<string> {
  return await settled(world.services, await closedAt(world, n));
}

async function closedAt(
  { services, clock }: AuctionWorld,
  n: number,
): Promise<Day> {
  const day = addDays(AUCTION_DAY, n);
  clock.set(`${day}T08:00:00.000Z`);
  await openAuction(services, { day });
  await closeAuction(services, { day });
  return day;
}

async function settled(services: Services, day: Day): Promise<string> {
  await settleDay(services, { day, force: true });
  return (await services.store.spotlights.find(day))?.headline ?? "";
}

/** House ads with these headlines, in this order. */
async function madeHouseAds(
  { services }: AuctionWorld,
  ...headlines: string[]
): Promise<HouseAd[]> {
  const made: HouseAd[] = [];
  for (const headline of headlines) {
    const description = "One advertisement a day.";
    made.push(await makeHouseAd(services, { headline, description }));
  }
  return made;
}

Deno.test("house ads take turns in their order, round and round", async () => {
  await using world = await openAuctionWorld();
  await madeHouseAds(world, "First", "Second", "Third");
  const shown: string[] = [];
  for (const n of [0, 1, 2, 3]) shown.push(await settleAt(world, n));
  assertEquals(shown, ["First", "Second", "Third", "First"]);
});

Deno.test("a day that somebody wins takes no turn", async () => {
  await using world = await openAuctionWorld();
  await madeHouseAds(world, "First", "Second");
  assertEquals(await settleAt(world, 0), "First");
  const day = addDays(AUCTION_DAY, 1);
  world.clock.set(`${day}T08:00:00.000Z`);
  await openAuction(world.services, { day });
  await world.bid(await world.advertiser("ada"), 900, day);
  await closeAuction(world.services, { day });
  assertEquals(await settled(world.services, day), "Headline of ada");
  assertEquals(await settleAt(world, 2), "Second");
});

Deno.test("a house ad that rests is left out until it takes turns again", async () => {
  await using world = await openAuctionWorld();
  const { services } = world;
  const [, second] = await madeHouseAds(world, "First", "Second", "Third");
  assert(second !== undefined);
  await restHouseAd(services, { id: second.id, rests: true });
  assertEquals(await settleAt(world, 0), "First");
  assertEquals(await settleAt(world, 1), "Third");
  await restHouseAd(services, { id: second.id, rests: false });
  assertEquals(await settleAt(world, 2), "First");
  assertEquals(await settleAt(world, 3), "Second");
});

Deno.test("the built-in house ad is shown while all others rest, and when there is none", async () => {
  await using world = await openAuctionWorld();
  const { headline } = BUILT_IN_HOUSE_AD;
  assertEquals(await settleAt(world, 0), headline);
  const [only] = await madeHouseAds(world, "Only");
  assert(only !== undefined);
  await restHouseAd(world.services, { id: only.id, rests: true });
  assertEquals(await settleAt(world, 1), headline);
});

Deno.test("the order of house ads is changed from the next turn on", async () => {
  await using world = await openAuctionWorld();
  const { services } = world;
  const [first, , third] = await madeHouseAds(
    world,
    "First",
    "Second",
    "Third",
  );
  assert(first !== undefined && third !== undefined);
  assertEquals(await settleAt(world, 0), "First");
  await moveHouseAd(services, { id: third.id, to: "earlier" });
  assertEquals(await settleAt(world, 1), "Third");
  await moveHouseAd(services, { id: first.id, to: "earlier" });
  assertEquals(await settleAt(world, 2), "Second", "there is nothing before");
});

Deno.test("a house ad is removed once it rests, and the turns go on behind it", async () => {
  await using world = await openAuctionWorld();
  const { services } = world;
  const [, second] = await madeHouseAds(world, "First", "Second", "Third");
  assert(second !== undefined);
  await settleAt(world, 0);
  assertEquals(await settleAt(world, 1), "Second");
  await assertRejects(() => removeHouseAd(services, { id: second.id }));
  await restHouseAd(services, { id: second.id, rests: true });
  await removeHouseAd(services, { id: second.id });
  assertEquals(await services.store.houseAds.find(second.id), null);
  assertEquals(await settleAt(world, 2), "Third");
  const day = addDays(AUCTION_DAY, 1);
  const kept = await services.store.spotlights.find(day);
  assertEquals(kept?.headline, "Second", "the day keeps what it showed");
});

for (const kind of ["fail_before", "fail_after"] as const) {
  Deno.test(`a crash in the commit of a turn loses none and uses none up: ${kind}`, async () => {
    await using world = await openAuctionWorld();
    await madeHouseAds(world, "First", "Second", "Third");
    const day = await closedAt(world, 0);
    // The first commit takes the lease, the second has Spotlight and turn.
    const faults = [{ on: "commit", nth: 2, fault: { kind } }] as const;
    const dying = world.another((same) => same, faults).services;
    await assertRejects(() => settleDay(dying, { day, force: true }));
    world.clock.advance(60_000);
    assertEquals(await settled(world.services, day), "First");
    assertEquals(await settleAt(world, 1), "Second");
  });
}

Deno.test("two days that settle at once show two house ads", async () => {
  await using world = await openAuctionWorld();
  await madeHouseAds(world, "First", "Second", "Third");
  const days = [await closedAt(world, 0), await closedAt(world, 1)];
  const other = world.another().services;
  const [one, two] = await Promise.all([
    settled(world.services, days[0] as Day),
    settled(other, days[1] as Day),
  ]);
  assertEquals([one, two].toSorted(), ["First", "Second"]);
});

Deno.test("house ads of an earlier version take turns by their ids, before those that are made", async () => {
  await using world = await openAuctionWorld();
  const { store } = world.services;
  await store.transact((tx) => {
    for (const id of ["house_b", "house_a"]) {
      tx.houseAds.save({ ...BUILT_IN_HOUSE_AD, id, headline: id });
    }
  });
  assertEquals(await settleAt(world, 0), "house_a");
  await madeHouseAds(world, "Made");
  assertEquals(await settleAt(world, 1), "house_b");
  assertEquals(await settleAt(world, 2), "Made");
});

Deno.test("makeHouseAd() takes plain copy only, and 50 of them", async () => {
  await using world = await openAuctionWorld();
  const { services } = world;
  const description = "One advertisement a day.";
  for (
    const typed of [
      { headline: "abc", description },
      { headline: "Right\u202eleft", description },
      { headline: "Good enough", description: "short" },
    ]
  ) await assertRejects(() => makeHouseAd(services, typed));
  await madeHouseAds(
    world,
    ...Array.from({ length: 50 }, (_, n) => `Ad ${n} of 50`),
  );
  await assertRejects(() => madeHouseAds(world, "One more"));
  assertEquals((await services.store.listHouseAds({ limit: 99 })).length, 50);
});
