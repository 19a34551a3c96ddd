import { assert, assertEquals } from "@std/assert";
import { suspendAccount } from "../../../domain/accounts/suspend_account.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { DAY_MS } from "../../../domain/day.ts";
import { releaseStore } from "../../../domain/release/release_store.ts";
import { createGrant } from "../../../tools/demo/create_grant.ts";
import { adoptSoldDay } from "../../../domain/settlement/adopt_sold_day.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";
import {
  backupOf,
  endHold,
  gatedOver,
  restoreInto,
  sellDay,
} from "../../support/restored_world.ts";
import { closeDay } from "../../support/settlement_outcome.ts";
import { openTestStore } from "../../support/store.ts";

const day = AUCTION_DAY;

Deno.test("a bid that was passed over since a review is not adopted though its invoice is paid, and the next one's turn stays", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  await world.bid(await world.advertiser("ada"), 900);
  await world.bid(await world.advertiser("bob"), 500);
  const backup = await backupOf(world);
  await sellDay(world);
  const [paid] = world.simulator.control.objects("invoice");
  assert(paid?.status === "paid", "the day was sold to the best bidder");
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  // Another operator's release has ended meanwhile.
  await endHold(services);
  await suspendAccount(services, {
    accountId: "acc_ada",
    by: { kind: "operator_key" },
    reason: "A stolen card.",
    about: null,
  });
  await closeDay(services);
  const { control } = world.simulator;
  const fault = control.addFault({
    kind: "reset_before_effect",
    method: "GET",
    path: "/v1/invoices",
    times: null,
  });
  await settleDay(services, { day });
  control.removeFault(fault);
  const before = await services.store.settlements.find(day);
  assertEquals(before?.candidates.map(({ step }) => step), [
    "passed_over",
    "creating",
  ]);
  const sold = { day, invoiceId: paid.id };
  assertEquals(await adoptSoldDay(services, sold), "its bid is void");
  const after = await services.store.settlements.find(day);
  assertEquals(after?.candidates, before?.candidates);
});

Deno.test("a raise that was charged after the backup counts in the total of the mandate it was made under", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const { account, adId } = await world.advertiser("ada");
  const { grant, lineId } = await createGrant(world.services, {
    accountId: account.id,
    clientId: "client",
    scopes: ["bids:read", "bids:write"],
    mandate: {
      maxBidCents: 1_000,
      dailyCapCents: 1_000,
      totalCapCents: 1_000,
      validUntilMs: world.clock.now() + 20 * DAY_MS,
    },
  });
  const bid = (amountCents: number) => {
    const wanted = { day, adId, amountCents, paymentMethodId: null };
    const key = `raised to ${amountCents}`;
    return placeBid(world.services, {
      by: { grant: { ...grant, lineId } },
      binding: {
        owner: grant.id,
        operation: "POST /v1/agent/bids",
        key,
        requestHash: key,
      },
      ...wanted,
    });
  };
  await openAuction(world.services, { day });
  await bid(500);
  const backup = await backupOf(world);
  await bid(900);
  await sellDay(world);
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  const usedCents = async () =>
    (await services.store.grants.find(grant.id))?.totalUse?.usedCents;
  assertEquals(await usedCents(), 500);
  await releaseStore(services, { acknowledged: [] });
  assertEquals(await usedCents(), 900);
  await releaseStore(services, { acknowledged: [] });
  assertEquals(await usedCents(), 900);
});
