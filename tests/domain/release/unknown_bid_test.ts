/**
 * Days for which somebody pays, or may still pay, whose bid the backup does not
 * know.
 */
import { assert, assertEquals } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import type { Services } from "../../../domain/ports.ts";
import { releaseStore } from "../../../domain/release/release_store.ts";
import { itemId } from "../../../domain/release/review.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import {
  backupOf,
  gatedOver,
  restoreInto,
} from "../../support/restored_world.ts";
import { closeDay } from "../../support/settlement_outcome.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

const NOTHING = { acknowledged: [] };

function kindsOf(items: readonly { kind: string }[]): string[] {
  return items.map(({ kind }) => kind);
}

/**
 * A day that was open and without bids when the backup was made. The lost
 * service got as far as asking for the payment of the only one.
 */
async function restoredBeforeBid(
  world: AuctionWorld,
  into: TestStore,
  kind: "error_before_effect" | "processing",
): Promise<{ services: Services; cardId: string }> {
  await openAuction(world.services, { day: AUCTION_DAY });
  const backup = await backupOf(world);
  const stranger = await world.advertiser("stranger");
  await world.bid(stranger, 900);
  world.clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  await closeDay(world.services);
  const path = "/v1/invoices/*/pay";
  world.simulator.control.addFault({ kind, method: "POST", path });
  await settleDay(world.services, { day: AUCTION_DAY });
  await restoreInto(into, backup);
  return { services: gatedOver(world, into), cardId: stranger.paymentMethodId };
}

/** What an operator sees before the release, and takes note of. */
async function leftOf(services: Services) {
  const { left } = await releaseStore(services, NOTHING);
  return { kinds: kindsOf(left), acknowledged: left.map(itemId) };
}

Deno.test("what was noted of an invoice that was open counts no more once it is paid", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const { services, cardId } = await restoredBeforeBid(
    world,
    into,
    "error_before_effect",
  );
  const { kinds, acknowledged } = await leftOf(services);
  assertEquals(kinds, ["invoice_open"]);
  const [invoice] = world.simulator.control.objects("invoice");
  await world.stripe.invoices.pay(invoice?.id ?? "", {
    payment_method: cardId,
  });
  const { left } = await releaseStore(services, { acknowledged });
  assertEquals(kindsOf(left), ["day_sold_to_unknown"]);
  assert(await services.store.currentHold());
});

for (const end of ["fail", "succeed"] as const) {
  Deno.test(`a day without bids waits for the payment of a bid that the backup does not know, which is to ${end}`, async () => {
    await using world = await openAuctionWorld();
    await using into = await openTestStore({ clock: world.clock });
    const { services } = await restoredBeforeBid(world, into, "processing");
    const { kinds, acknowledged } = await leftOf(services);
    assertEquals(kinds, ["invoice_open"]);
    await releaseStore(services, { acknowledged });
    assertEquals(await services.store.currentHold(), null);
    await closeDay(services);
    const settled = async () => {
      world.clock.advance(10 * 60_000);
      return (await settleDay(services, { day: AUCTION_DAY })).state;
    };
    assertEquals(await settled(), "running");
    const { control } = world.simulator;
    const [payment] = control.objects("payment_intent");
    control.resolvePayment(payment?.id ?? "", end);
    assertEquals(await settled(), "running");
    assert(world.log.events.includes("settlement.day_taken"));
    if (end === "fail") {
      const [invoice] = control.objects("invoice");
      await world.stripe.invoices.voidInvoice(invoice?.id ?? "");
    } else {
      const [charge] = control.objects("charge");
      await world.stripe.refunds.create({ charge: charge?.id ?? "" });
    }
    assertEquals(await settled(), "settled");
    const spotlight = await services.store.spotlights.find(AUCTION_DAY);
    assertEquals(spotlight?.contentType, "house_advertisement");
  });
}

Deno.test("a day without bids of which an operator noted that it was sold settles on a house advertisement", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const { services, cardId } = await restoredBeforeBid(
    world,
    into,
    "error_before_effect",
  );
  const [invoice] = world.simulator.control.objects("invoice");
  await world.stripe.invoices.pay(invoice?.id ?? "", {
    payment_method: cardId,
  });
  const { kinds, acknowledged } = await leftOf(services);
  assertEquals(kinds, ["day_sold_to_unknown"]);
  await releaseStore(services, { acknowledged });
  await closeDay(services);
  const { state } = await settleDay(services, { day: AUCTION_DAY });
  assertEquals(state, "settled");
});
