/** What a release could not take over is asked for again, until it is. */
import { assertEquals } from "@std/assert";
import { JOBS } from "../../../cron/jobs.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { HOUR_MS } from "../../../domain/day.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import type { Processor } from "../../../domain/payments/processor.ts";
import { askAgain } from "../../../domain/release/ask_again.ts";
import { releaseStore } from "../../../domain/release/release_store.ts";
import { itemId } from "../../../domain/release/review.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";
import {
  backupOf,
  gatedOver,
  restoreInto,
  sellDay,
  STANDING_HOLD,
} from "../../support/restored_world.ts";
import { openTestStore } from "../../support/store.ts";

Deno.test("a refund that a release could not read, and that was noted, is booked by the first run that can", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  await openAuction(world.services, { day: AUCTION_DAY });
  await world.bid(await world.advertiser("ada"), 900);
  await sellDay(world);
  const backup = await backupOf(world);
  world.clock.advance(HOUR_MS);
  await refundSpotlight(world.services, { day: AUCTION_DAY, note: "wrong" });
  world.clock.advance(HOUR_MS);
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  const { control } = world.simulator;
  const fault = control.addFault({
    kind: "reset_before_effect",
    method: "GET",
    path: "/v1/refunds",
    times: null,
  });
  const { left } = await releaseStore(services, { acknowledged: [] });
  const [id] = control.objects("invoice").map((invoice) => invoice.id);
  assertEquals(left.map(itemId), [`not_adopted:refund_to_book:${id}`]);
  await releaseStore(services, { acknowledged: left.map(itemId) });
  const { store } = services;
  await askAgain(services);
  assertEquals((await store.holds.find())?.missed, [`refund_to_book:${id}`]);
  control.removeFault(fault);
  await JOBS.reconcile.run(services);
  const invoice = await store.invoices.find(id ?? "");
  assertEquals(invoice?.refunds.map(({ amountCents }) => amountCents), [900]);
  assertEquals([invoice?.money, invoice?.creditNotes.length], ["refunded", 1]);
  const hold = await store.holds.find();
  assertEquals(hold?.missed, undefined);
  assertEquals(hold?.acknowledged, left.map(itemId));
});

/** By which call each item is asked for again, by its own id. */
const ASKED = {
  invoice_to_book: "retrieveInvoice",
  refund_came_back: "retrieveRefund",
  figures_to_book: "retrievePayment",
  dispute_to_book: "retrieveDispute",
  transfer_to_book: "retrieveTransfer",
} as const satisfies Record<string, keyof Processor>;

for (const [kind, call] of Object.entries(ASKED)) {
  Deno.test(`a noted ${kind} is asked for again until the processor has answered, and no item keeps another from it`, async () => {
    await using world = await openAuctionWorld();
    const { store } = world.services;
    const missed = [`${kind}:one_1`, `${kind}:one_2`];
    const hold = { ...STANDING_HOLD, releasedAtMs: 1, missed };
    await store.transact((tx) => tx.holds.save(hold));
    const asked: string[] = [];
    const away = world.another((real) => ({
      ...real,
      [call](id: string) {
        asked.push(id);
        return Promise.reject(new ProcessorUncertain());
      },
    }));
    await askAgain(away.services);
    await askAgain(away.services);
    assertEquals(asked, ["one_1", "one_2", "one_1", "one_2"]);
    assertEquals((await store.holds.find())?.missed, missed);
  });
}

Deno.test("nothing is asked for again while the store is on hold, nor what is no name of an item", async () => {
  await using world = await openAuctionWorld();
  const { store } = world.services;
  const save = (releasedAtMs: number | null) =>
    store.transact((tx) =>
      tx.holds.save({
        ...STANDING_HOLD,
        releasedAtMs,
        missed: ["toString:one_1"],
      })
    );
  await save(null);
  await askAgain(world.services);
  assertEquals((await store.holds.find())?.missed, ["toString:one_1"]);
  await save(1);
  await askAgain(world.services);
  assertEquals((await store.holds.find())?.missed, undefined);
});
