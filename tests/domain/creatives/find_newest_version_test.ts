import { assertEquals } from "@std/assert";
import { findNewestVersion } from "../../../domain/creatives/find_newest_version.ts";
import {
  approveCreative,
  rejectCreative,
} from "../../../domain/creatives/review_creative.ts";
import { openBiddingWorld } from "../../support/bidding_world.ts";
import {
  adIdOf,
  DECEPTIVE,
  DESK,
  stored,
  submitted,
  verbsOf,
} from "./creative_world.ts";

Deno.test("findNewestVersion() follows versions that were turned down or put away, to the last that was not", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const ada = await world.agent("ada");
  const verbs = verbsOf(services, ada);
  const reject = (adId: string) =>
    rejectCreative(services, { adId, by: DESK, typed: DECEPTIVE });
  const versionOf = async (adId: string) =>
    adIdOf(await verbs.update(adId, { headline: `Not as ${adId}` }));
  const newestOf = async (adId: string) => {
    const creative = await stored(world, ada, adId);
    return (await findNewestVersion(services.store, creative))?.adId ?? null;
  };
  const first = await submitted(services, ada);
  assertEquals(await newestOf(first), null);
  await reject(first);
  assertEquals(await newestOf(first), null);
  const left = await versionOf(first);
  const second = await versionOf(first);
  assertEquals(await newestOf(first), second);
  await verbs.submit(second);
  await reject(second);
  assertEquals(await newestOf(first), second);
  const third = await versionOf(second);
  await verbs.submit(third);
  assertEquals([await newestOf(first), await newestOf(second)], [third, third]);
  await approveCreative(services, { adId: third, by: DESK });
  const fourth = await versionOf(third);
  assertEquals([await newestOf(first), await newestOf(third)], [third, null]);
  await verbs.archive(third);
  assertEquals(await newestOf(first), fourth);
  await verbs.archive(fourth);
  assertEquals([await newestOf(first), await newestOf(left)], [second, null]);
});

Deno.test("findNewestVersion() ends, however often versions were revised", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const ada = await world.agent("ada");
  const first = await stored(world, ada, ada.adId);
  const count = 20;
  await services.store.transact((tx) => {
    for (let at = 0; at < count; at++) {
      tx.creatives.save({
        ...first,
        adId: `ad_${at}`,
        state: "rejected",
        // The last one leads back to the first.
        revisedBy: `ad_${(at + 1) % count}`,
      });
    }
    return Promise.resolve();
  });
  const creative = await stored(world, ada, "ad_0");
  const found = await findNewestVersion(services.store, creative);
  assertEquals(found?.adId, "ad_8");
});
