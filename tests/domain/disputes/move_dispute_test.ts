import { assertEquals } from "@std/assert";
import type { Dispute } from "../../../domain/disputes/dispute.ts";
import { moveDispute } from "../../../domain/disputes/move_dispute.ts";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { openPaidDay } from "../../support/paid_day.ts";

Deno.test("a refund that waited for a dispute begins anew at once when the dispute ends, and none begins by itself", async () => {
  await using day = await openPaidDay();
  const { services, simulator, clock } = day.world;
  const { paymentId } = await day.invoice();
  const id = simulator.control.disputes.open(paymentId ?? "").id;
  const { dueAtMs } = await day.invoice();
  clock.advance(1_000);
  await syncDispute(services, id);
  assertEquals((await day.invoice()).dueAtMs, dueAtMs);
  await refundSpotlight(services, { day: AUCTION_DAY, note: "goodwill" });
  const waiting = await day.invoice();
  assertEquals(waiting.money, "refunding");
  const tried = {
    refundTries: 3,
    refundRefusals: 2,
    dueAtMs: clock.now() + 86_400_000,
  };
  await services.store.transact(async (tx) => {
    await tx.invoices.find(waiting.id);
    tx.invoices.save({ ...waiting, ...tried });
  });
  simulator.control.disputes.turn(id, "won");
  await syncDispute(services, id);
  const anew = await day.invoice();
  assertEquals(
    [anew.dueAtMs, anew.refundTries, anew.refundRefusals],
    [clock.now(), 0, 0],
  );
});

Deno.test("a dispute that is won leaves the account blocked by another that is lost", async () => {
  await using day = await openPaidDay();
  const { services, simulator } = day.world;
  const { paymentId } = await day.invoice();
  const { disputes } = simulator.control;
  const lost = disputes.open(paymentId ?? "", { amount: 300 }).id;
  disputes.turn(lost, "lost");
  await syncDispute(services, lost);
  const won = disputes.open(paymentId ?? "", { amount: 300 }).id;
  const blocking = async () => {
    await syncDispute(services, won);
    const { id } = day.winner.account;
    return (await services.store.accounts.find(id))?.blockingDisputes;
  };
  assertEquals(await blocking(), [lost, won]);
  disputes.turn(won, "won");
  assertEquals(await blocking(), [lost]);
});

Deno.test("a lost dispute of which nothing that was paid for is stored is a loss to the last cent", async () => {
  await using day = await openPaidDay();
  const { services, clock } = day.world;
  const nowMs = clock.now();
  const known = {
    id: "dp_unknown",
    amountCents: 100,
    paymentId: "pi_unknown",
    reason: "general",
    evidenceDueAtMs: null,
  };
  const moved = await services.store.transact(async (tx) => {
    await tx.disputes.find(known.id);
    const dispute: Dispute = {
      ...known,
      state: "unseen",
      accountId: null,
      invoiceId: null,
      openedAtMs: nowMs,
      heldCents: 0,
      lostCents: 0,
      dueCents: 0,
      movementIds: [],
      moves: 0,
    };
    const nothing = { invoice: null, account: null, metrics: null };
    return moveDispute(tx, { dispute, ...nothing }, {
      ...known,
      standing: "lost",
      movements: [{ id: "txn_1", amountCents: -100 }],
      createdAtMs: nowMs,
    }, nowMs);
  });
  assertEquals([moved?.lostCents, moved?.dueCents], [100, 0]);
  assertEquals(await day.balance("dispute_losses"), 100);
  assertEquals(await day.balance("refunds_due"), 0);
});
