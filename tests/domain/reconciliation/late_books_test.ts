/** What is booked long after it moved, as what a restored store had lost. */
import { assertEquals } from "@std/assert";
import { DAY_MS, dayOf } from "../../../domain/day.ts";
import { bookEntry } from "../../../domain/ledger/book_entry.ts";
import type { LedgerEntry } from "../../../domain/ledger/entry.ts";
import { reconcileDay } from "../../../domain/reconciliation/reconcile_day.ts";
import { syncRefund } from "../../../domain/webhooks/sync_refund.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { putOnHold } from "../../support/restored_world.ts";

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
