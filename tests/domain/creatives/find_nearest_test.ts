import { assertEquals } from "@std/assert";
import { findNearest } from "../../../domain/creatives/find_nearest.ts";
import type { Creative } from "../../../domain/creatives/creative.ts";
import { approvedCreative } from "../../support/bidding_world.ts";
import { openTestStore } from "../../support/store.ts";

/** What is found of creatives in these states, the oldest first. */
async function nearestOf(
  ...states: Creative["state"][]
): Promise<Creative | string | null> {
  await using test = await openTestStore();
  await test.store.transact((tx) => {
    states.forEach((state, at) =>
      tx.creatives.save({
        ...approvedCreative("ada"),
        ...{ adId: `ad_${at}`, state, createdAtMs: at },
      })
    );
  });
  const { accountId } = approvedCreative("ada");
  const found = await findNearest(test.store, accountId);
  return found === null || found === "none" ? found : found.adId;
}

Deno.test("findNearest() finds what is under review, else the newest that is not archived", async () => {
  assertEquals(await nearestOf("submitted", "draft", "archived"), "ad_0");
  assertEquals(await nearestOf("rejected", "draft", "archived"), "ad_1");
  assertEquals(await nearestOf("draft", "rejected"), "ad_1");
  assertEquals(await nearestOf("archived", "archived"), "none");
  assertEquals(await nearestOf(), "none");
});

Deno.test("findNearest() says nothing where a creative is approved, or one of more may be", async () => {
  assertEquals(await nearestOf("approved", "draft", "submitted"), null);
  const drafts = Array<"draft">(3).fill("draft");
  assertEquals(await nearestOf(...drafts), "ad_2");
  assertEquals(await nearestOf(...drafts, "approved"), null);
});
