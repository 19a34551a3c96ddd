import { assert, assertEquals } from "@std/assert";
import { suspendAccount } from "../../../domain/accounts/suspend_account.ts";
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
