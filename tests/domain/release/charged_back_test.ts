/**
 * A day whose buyer is not in the backup, and whose money a bank took back: a
 * person can't give it back any more.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";
import {
  backupOf,
  gatedOver,
  releaseNoted,
  restoreInto,
  sellDay,
} from "../../support/restored_world.ts";
import { closeDay } from "../../support/settlement_outcome.ts";
import { openTestStore } from "../../support/store.ts";

Deno.test("a day that was sold to a bid that is not in the backup is free again once the payer's bank took the money back for good", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  await openAuction(world.services, { day: AUCTION_DAY });
  await world.bid(await world.advertiser("known"), 500);
  const backup = await backupOf(world);
  await world.bid(await world.advertiser("stranger"), 900);
  await sellDay(world);
  const { control } = world.simulator;
  const [charge] = control.objects("charge");
  assert(charge !== undefined && charge.amount === 900);
  const dispute = control.disputes.open(charge.id);
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  await releaseNoted(services);
  await closeDay(services);
  const settled = async () => {
    world.clock.advance(10 * 60_000);
    return (await settleDay(services, { day: AUCTION_DAY })).state;
  };
  assertEquals(await settled(), "running", "a bank has still to decide");
  control.disputes.turn(dispute.id, "lost");
  await assertRejects(
    () => world.stripe.refunds.create({ charge: charge.id }),
    Error,
    "has been charged back",
  );
  assertEquals(await settled(), "settled");
  const { accountId } = await services.store.spotlights.find(AUCTION_DAY) ?? {};
  assertEquals(accountId, "acc_known");
});
