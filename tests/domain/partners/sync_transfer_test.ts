import { assert, assertEquals } from "@std/assert";
import { suspendAccount } from "../../../domain/accounts/suspend_account.ts";
import { advanceCommissions } from "../../../domain/partners/advance_commissions.ts";
import { syncTransfer } from "../../../domain/partners/sync_transfer.ts";
import { reviewMovements } from "../../../domain/release/read_movements.ts";
import { adoptItem, isAdoptable } from "../../../domain/release/adopt_item.ts";
import { reconcileDay } from "../../../domain/reconciliation/reconcile_day.ts";
import { DAY_MS, dayOf, HOUR_MS } from "../../../domain/day.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import {
  EARNED_CENTS,
  openPayoutWorld,
  type PayoutWorld,
} from "../../support/payout_world.ts";
import { PARTNER_ID } from "../../support/partners.ts";
import { refusalOf } from "../../support/refused.ts";

/** Part of what was earned. */
const LOST_CENTS = 1_000;

/** A payout that was paid. */
async function openPaidWorld() {
  const day = await openPayoutWorld();
  await day.ask();
  await day.send();
  const { transferId } = await day.payout();
  assert(transferId !== null);
  const reverse = (cents?: number) =>
    day.world.simulator.control.partners.reverse(transferId, cents);
  const sync = (by = day.world.services) => syncTransfer(by, transferId);
  return { day, transferId, reverse, sync };
}

Deno.test("what comes back of a transfer is booked once, part by part, and is payable again", async () => {
  const { day, reverse, sync } = await openPaidWorld();
  await using _ = day;
  reverse(2_000);
  await sync();
  await sync();
  assertEquals((await day.payout()).returnedCents, 2_000);
  assertEquals((await day.balance()).payableCents, 2_000);
  await day.checkBooks();
  reverse(3_000);
  reverse();
  await sync();
  await sync();
  const { state, returnedCents } = await day.payout();
  assertEquals([state, returnedCents], ["returned", EARNED_CENTS]);
  const { payableCents, paidCents, paidThrough } = await day.balance();
  assertEquals([payableCents, paidCents, paidThrough], [EARNED_CENTS, 0, null]);
  await day.checkBooks();
  // It can be asked for again, and is another transfer.
  await day.ask();
  await day.send();
  assertEquals(day.transfers(), [0, EARNED_CENTS]);
  await day.checkBooks();
});

Deno.test("a transfer that came back before it was known to be made is both paid and returned", async () => {
  await using day = await openPayoutWorld();
  const { control } = day.world.simulator;
  day.failTransfers("reset_after_effect");
  await day.ask();
  await day.send();
  const [transfer] = control.objects("transfer");
  assert(transfer !== undefined);
  control.partners.reverse(transfer.id);
  await syncTransfer(day.world.services, transfer.id);
  assertEquals((await day.payout()).state, "returned");
  await day.checkBooks();
  day.world.clock.advance(DAY_MS);
  await day.send();
  assertEquals(day.transfers(), [0]);
});

Deno.test("what is taken back after the payout makes a debt, and nothing is paid before it is made up", async () => {
  const { day } = await openPaidWorld();
  await using _ = day;
  await day.takeBack(EARNED_CENTS);
  await day.checkBooks();
  day.world.clock.advance(430 * DAY_MS);
  await advanceCommissions(day.world.services);
  // In whole steps, and at most a step more.
  const { payableCents } = await day.balance();
  assert(payableCents <= -EARNED_CENTS && payableCents >= -13_000);
  const refused = await refusalOf(() => day.ask());
  assertEquals(refused?.code, "payout_refused");
  await day.checkBooks();
});

Deno.test("a process that dies around any commit of a return books it once", async () => {
  const deaths = await everyCrashPoint(async (point) => {
    const { day, reverse, sync } = await openPaidWorld();
    await using _ = day;
    reverse();
    const doomed = day.world.another();
    doomed.kv.crashAt(point);
    try {
      await sync(doomed.services);
    } catch (error) {
      if (!isCrash(error)) throw error;
    }
    await Promise.all([sync(), sync()]);
    assertEquals((await day.payout()).state, "returned");
    await day.checkBooks();
    return doomed.kv.dead;
  });
  assert(deaths >= 2);
});

Deno.test("a payout that the store lost is made of its transfer by a release, and is not paid again", async () => {
  await using old = await openPayoutWorld();
  const before = await old.balance();
  await old.ask();
  const { requestedAtMs } = await old.payout();
  old.world.clock.advance(HOUR_MS);
  await old.send();
  await forget(old, before);
  const items = await reviewOf(old);
  assertEquals(items.map(({ kind }) => kind), ["transfer_to_book"]);
  for (const item of items) {
    if (isAdoptable(item)) await adoptItem(old.world.services, item, false);
  }
  assertEquals(await reviewOf(old), []);
  const lost = await old.payout();
  assertEquals([lost.state, lost.requestedAtMs], ["paid", requestedAtMs]);
  assertEquals((await old.balance()).payableCents, 0);
  await old.checkBooks();
});

/** The transfer of a payout that the store does not know. */
async function lostTransfer(
  { destination, world: { services } }: PayoutWorld,
  metadata: Record<string, string> = {},
) {
  const made = await services.processor.createTransfer({
    group: "po_lost",
    destination,
    amountCents: LOST_CENTS,
    metadata: { payout_id: "po_lost", account_id: PARTNER_ID, ...metadata },
  }, "lost");
  assert(made.ok);
  return made.value;
}

Deno.test("a lost payout whose transfer does not say when it was asked for counts from the transfer", async () => {
  await using day = await openPayoutWorld();
  const { services, log } = day.world;
  const { id, createdAtMs } = await lostTransfer(day);
  await syncTransfer(services, id);
  const payout = await services.store.payouts.find("po_lost");
  assertEquals([payout?.state, payout?.requestedAtMs], ["paid", createdAtMs]);
  assert(log.events.includes("payout.paid"));
});

Deno.test("a payout that was asked for in the moment of a lost one is not taken for overtaken by it", async () => {
  for (const laterMs of [0, 1]) {
    await using day = await openPayoutWorld();
    const { services, clock } = day.world;
    const payoutId = await day.ask();
    const askedAtMs = String(clock.now() + laterMs);
    const { id } = await lostTransfer(day, { requested_at_ms: askedAtMs });
    await syncTransfer(services, id);
    const open = await services.store.payouts.find(payoutId);
    assertEquals(open?.state, laterMs === 0 ? "requested" : "canceled");
  }
});

Deno.test("a payout that ends while it is looked for is not ended again by the lost one that overtook it", async () => {
  await using day = await openPayoutWorld();
  const { services, clock } = day.world;
  const payoutId = await day.ask();
  const askedAtMs = String(clock.now() + HOUR_MS);
  const { id } = await lostTransfer(day, { requested_at_ms: askedAtMs });
  const slow = day.world.another((real) => ({
    ...real,
    async findTransfer(group) {
      const none = await real.findTransfer(group);
      await suspendAccount(services, {
        accountId: PARTNER_ID,
        by: { kind: "operator_key" },
        reason: "A stolen card.",
        about: null,
      });
      await day.send();
      return none;
    },
  }));
  await syncTransfer(slow.services, id);
  const open = await services.store.payouts.find(payoutId);
  assertEquals(open?.state, "canceled");
  const { payableCents, paidCents } = await day.balance();
  const left = EARNED_CENTS - LOST_CENTS;
  assertEquals([payableCents, paidCents], [left, LOST_CENTS]);
});

/** Puts balance, payout and books back to before the payout. */
async function forget(
  { world: { services }, payout }: PayoutWorld,
  balance: Awaited<ReturnType<PayoutWorld["balance"]>>,
): Promise<void> {
  const paid = await payout();
  await services.store.transact(async (tx) => {
    const entry = await tx.ledger.find(`payout:${paid.transferId}`);
    assert(entry !== null);
    tx.ledger.remove(entry);
    tx.payouts.remove(paid);
    tx.partnerBalances.save(balance);
  });
}

async function reviewOf({ world: { services, clock } }: PayoutWorld) {
  const span = { from: 0, until: clock.now() };
  const listed = await services.processor
    .listBalanceTransactions(span, null, 100);
  assert(listed.ok);
  const movements = listed.value.items;
  return await reviewMovements(services, {
    movements,
    disputes: [],
    invoices: [],
  });
}

Deno.test("the nightly comparison finds transfers and what came back both ways", async () => {
  const { day, transferId, reverse } = await openPaidWorld();
  await using _ = day;
  const { services, clock, simulator: { control } } = day.world;
  const { store } = services;
  reverse(1_000);
  const today = dayOf(clock.now());
  clock.advance(DAY_MS);
  // The event of the return was lost: it is booked by the comparison.
  const first = await reconcileDay(services, today);
  assertEquals(first.differences, []);
  assertEquals((await day.payout()).returnedCents, 1_000);
  await day.checkBooks();
  const entry = await store.ledger.find(`payout:${transferId}`);
  assert(entry !== null);
  await store.transact((tx) => tx.ledger.remove(entry));
  control.partners.turn(day.destination, "complete");
  const { differences } = await reconcileDay(services, today);
  assertEquals(differences.map(({ kind }) => kind), ["not_booked"]);
  await store.transact((tx) => tx.ledger.save(entry));
  await store.transact((tx) =>
    tx.ledger.save({ ...entry, id: "payout:tr_never", paymentId: "tr_never" })
  );
  const made = await reconcileDay(services, today);
  assertEquals(made.differences.map(({ kind }) => kind), ["not_moved"]);
});

Deno.test("the nightly comparison reports payouts that a balance does not agree with", async () => {
  const { day } = await openPaidWorld();
  await using _ = day;
  const { services, clock } = day.world;
  const balance = await day.balance();
  const wrong = {
    ...balance,
    paidCents: balance.paidCents - 5,
    payableCents: balance.payableCents + 5,
  };
  await services.store.transact((tx) => tx.partnerBalances.save(wrong));
  const today = dayOf(clock.now());
  clock.advance(DAY_MS);
  const { differences } = await reconcileDay(services, today);
  assertEquals(differences, [{
    kind: "payouts_differ",
    partnerId: PARTNER_ID,
    amountCents: -5,
  }]);
});
