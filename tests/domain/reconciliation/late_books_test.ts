/** What is booked long after it moved, as what a restored store had lost. */
import { assert, assertEquals } from "@std/assert";
import { type Day, DAY_MS, dayOf } from "../../../domain/day.ts";
import { bookEntry } from "../../../domain/ledger/book_entry.ts";
import type { LedgerEntry } from "../../../domain/ledger/entry.ts";
import { syncTransfer } from "../../../domain/partners/sync_transfer.ts";
import { reconcileDay } from "../../../domain/reconciliation/reconcile_day.ts";
import { syncRefund } from "../../../domain/webhooks/sync_refund.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { openPaidDay, PAID_CENTS } from "../../support/paid_day.ts";
import { openPayoutWorld } from "../../support/payout_world.ts";
import {
  backupOf,
  endHold,
  gatedOver,
  putOnHold,
  restoreInto,
} from "../../support/restored_world.ts";
import { openTestStore } from "../../support/store.ts";

const LATER_MS = 61 * DAY_MS;
const CENTS = 100;

/** A payment for figures of which there is no row, of a restored store. */
async function paidForLostFigures(world: AuctionWorld): Promise<string> {
  const { id } = await world.stripe.paymentIntents.create({
    amount: CENTS,
    currency: "eur",
    confirm: true,
    payment_method: "pm_card_visa",
    automatic_payment_methods: { enabled: true, allow_redirects: "never" },
    metadata: { purpose: "metrics", payment_id: "ch_lost", day: AUCTION_DAY },
  });
  await putOnHold(world.services, { releasedAtMs: world.clock.now() });
  return id;
}

/** What the comparison of today finds, once it is over. */
async function differencesOf({ services, clock }: AuctionWorld) {
  const today = dayOf(clock.now());
  clock.advance(DAY_MS);
  const { differences } = await reconcileDay(services, today);
  return differences;
}

Deno.test("a charge, its refund and that it came back, booked 61 days after they moved, are no difference", async () => {
  await using world = await openAuctionWorld();
  const intent = await paidForLostFigures(world);
  const refund = await world.stripe.refunds.create({ payment_intent: intent });
  world.clock.advance(LATER_MS);
  world.simulator.control.failRefund(refund.id);
  await syncRefund(world.services, refund.id);
  const { store } = world.services;
  const booked = await store.listLedgerOfPayment(intent, { limit: 9 });
  assertEquals(booked.length, 3);
  assertEquals(await differencesOf(world), []);
});

Deno.test("what moved long ago and is booked twice, or otherwise than it moved, differs", async () => {
  await using world = await openAuctionWorld();
  const intent = await paidForLostFigures(world);
  const refund = await world.stripe.refunds.create({
    payment_intent: intent,
    amount: 40,
  });
  world.clock.advance(LATER_MS);
  const { store, clock } = world.services;
  const book = (
    id: string,
    kind: LedgerEntry["kind"],
    cents: number,
  ) =>
    store.transact((tx) =>
      bookEntry(tx, {
        id,
        kind,
        atMs: clock.now(),
        paymentId: intent,
        movement: { processor_clearing: cents, refunds_due: -cents },
      })
    );
  await book("sale:one", "sale", CENTS);
  await book("sale:two", "sale", CENTS);
  await book(`refund:${refund.id}`, "refund", -50);
  await book(`refund_failure:${refund.id}`, "refund", 40);
  const differences = await differencesOf(world);
  assertEquals(differences.map(({ kind }) => kind), [
    "not_moved",
    "not_moved",
    "not_moved",
  ]);
  const entries = differences.flatMap((one) =>
    one.kind === "not_moved" ? one.entryId : []
  );
  assertEquals(entries.toSorted(), [
    `refund:${refund.id}`,
    `refund_failure:${refund.id}`,
    "sale:two",
  ]);
});

Deno.test("of a processor that knows nothing of the payment it stays a difference", async () => {
  await using world = await openAuctionWorld();
  const { store, clock } = world.services;
  await store.transact((tx) =>
    bookEntry(tx, {
      id: "sale:none",
      kind: "sale",
      atMs: clock.now(),
      paymentId: "pi_none",
      movement: { processor_clearing: CENTS, refunds_due: -CENTS },
    })
  );
  const differences = await differencesOf(world);
  assertEquals(differences.map(({ kind }) => kind), ["not_moved"]);
});

Deno.test("a payout that is booked 61 days after it was made, and what came back of it, are no difference", async () => {
  await using day = await openPayoutWorld();
  const { world } = day;
  await using into = await openTestStore({ clock: world.clock });
  const backup = await backupOf(world);
  await day.ask();
  await day.send();
  const { control } = world.simulator;
  const [transfer] = control.objects("transfer");
  assert(transfer !== undefined);
  control.partners.reverse(transfer.id, 100);
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  await endHold(services);
  world.clock.advance(LATER_MS);
  await syncTransfer(services, transfer.id);
  const booked = await services.store.listLedgerOfPayment(transfer.id, {
    limit: 9,
  });
  assertEquals(booked.length, 2);
  const found = await differencesOf({ ...world, services });
  assertEquals(found.filter(({ kind }) => kind === "not_moved"), []);
});

for (const later of [1, 10, 61]) {
  Deno.test(`a charge that is booked once more ${later} days later differs on that day, and on no other`, async () => {
    await using day = await openPaidDay();
    const { services, clock } = day.world;
    const { paymentId } = await day.invoice();
    clock.advance(later * DAY_MS);
    const again = dayOf(clock.now());
    await services.store.transact((tx) =>
      bookEntry(tx, {
        id: "late_payment:again",
        kind: "late_payment",
        atMs: clock.now(),
        paymentId,
        movement: { processor_clearing: PAID_CENTS, refunds_due: -PAID_CENTS },
      })
    );
    clock.advance(DAY_MS);
    const found = async (compared: Day) =>
      (await reconcileDay(services, compared)).differences
        .flatMap((one) => one.kind === "not_moved" ? one.entryId : []);
    assertEquals(await found(again), ["late_payment:again"]);
    assertEquals(await found(AUCTION_DAY), []);
  });
}
