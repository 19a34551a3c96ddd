/** Days without a candidate, of which a restored store may lack the bids. */
import { assertEquals } from "@std/assert";
import { addDays, startOfDayMs } from "../../../domain/day.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";
import { invoiceByHand } from "../../support/invoice_by_hand.ts";
import { putOnHold } from "../../support/restored_world.ts";
import {
  closeDay,
  outcomeOfDay,
  settleInTime,
} from "../../support/settlement_outcome.ts";

const day = AUCTION_DAY;

for (
  const [when, laterMs, isAsked] of [
    ["has begun by the restore", 0, true],
    ["began after the restore", -1, false],
  ] as const
) {
  Deno.test(`the invoices of an unsold day that ${when} are ${isAsked ? "" : "not "}asked for`, async () => {
    await using world = await openAuctionWorld();
    const { services, clock, simulator: { control } } = world;
    const restoredAtMs = startOfDayMs(day) + laterMs;
    await putOnHold(services, { restoredAtMs, releasedAtMs: clock.now() });
    await closeDay(services);
    control.clearRequests();
    await settleInTime(world);
    const paths = control.requests().map(({ path }) => path);
    assertEquals(paths.includes("/v1/invoices"), isAsked);
    assertEquals((await outcomeOfDay(world)).spotlight, "house_advertisement");
  });
}

Deno.test("an unsold day goes to who has paid for it by the end of its time on show", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  await putOnHold(services, {
    restoredAtMs: clock.now(),
    releasedAtMs: clock.now(),
  });
  await closeDay(services);
  // A bid that was not among those that were ranked.
  const ada = await world.advertiser("ada");
  const { id: bidId } = await world.bid(ada, 500);
  await invoiceByHand(world, ada, { bidId });
  clock.set(`${addDays(day, 1)}T23:55:00.000Z`);
  await settleDay(services, { day });
  const { spotlight, bids } = await outcomeOfDay(world);
  assertEquals([spotlight, bids], ["acc_ada", { acc_ada: "won" }]);
});
