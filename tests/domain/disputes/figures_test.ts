/** Disputes of money for figures that are told of before the payment is known. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { metricsConsequences } from "../../../domain/checkout/metrics_consequences.ts";
import { HOUR_MS } from "../../../domain/day.ts";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { beginRefund } from "../../../domain/paid_metrics/refund_payment.ts";
import { returnedOf } from "../../../domain/paid_metrics/returned.ts";
import { settlePayments } from "../../../domain/paid_metrics/settle_payments.ts";
import { syncPayment } from "../../../domain/webhooks/sync_payment.ts";
import {
  offer,
  openPaidWorld,
  type PaidWorld,
  payAgain,
  type SeenChallenge,
  sold,
} from "../../support/paid_world.ts";
import {
  backupOf,
  gatedOver,
  releaseNoted,
  restoreInto,
} from "../../support/restored_world.ts";
import { openTestStore } from "../../support/store.ts";

/** A payer's money is taken, and the answer of that is lost. */
async function takenUnheard(shop: PaidWorld) {
  const { challenge, authorization } = await offer(shop);
  const { control } = shop.world.simulator;
  const fault = control.addFault({
    kind: "reset_after_effect",
    method: "POST",
    path: "/v1/payment_intents",
    times: null,
  });
  await (await shop.ask({ authorization })).body?.cancel();
  control.removeFault(fault);
  assertEquals((await shop.payment(challenge))?.state, "charging");
  const [intent] = control.objects("payment_intent");
  assert(intent?.status === "succeeded");
  return { challenge, intentId: intent.id };
}

async function rowOf(shop: PaidWorld, challenge: SeenChallenge) {
  const row = await shop.payment(challenge);
  assert(row !== null);
  return row;
}

for (const [end, refunded] of [["won", [100]], ["lost", []]] as const) {
  Deno.test(`a dispute of figures that is told of before their payment, and is ${end}, leaves owed what the bank gave back`, async () => {
    await using shop = await openPaidWorld();
    const { challenge, intentId } = await takenUnheard(shop);
    shop.world.clock.advance(60_000); // the request's lease is over
    const { disputes } = shop.world.simulator.control;
    const { id } = disputes.open(intentId);
    await syncDispute(shop.services, id);
    const row = await rowOf(shop, challenge);
    assertEquals([row.state, row.intentId], ["succeeded", intentId]);
    assertEquals(returnedOf(row).disputedCents, 100);
    disputes.turn(id, end);
    await syncDispute(shop.services, id);
    await shop.sweep({ minutes: 2 * 24 * 60, everyMinutes: 60 });
    assertEquals((await shop.taken()).refunded, [...refunded]);
  });
}

Deno.test("a dispute of figures waits while their payment is being found out, and is booked with nothing before", async () => {
  await using shop = await openPaidWorld();
  const { challenge, intentId } = await takenUnheard(shop);
  const { services, simulator, clock } = shop.world;
  const { id } = simulator.control.disputes.open(intentId);
  // The request still has the lease.
  await shop.services.store.transact(async (tx) => {
    const row = await tx.metricsPayments.find(challenge["id"] ?? "");
    assert(row !== null);
    const leaseUntilMs = clock.now() + 30_000;
    tx.metricsPayments.save({ ...row, leaseUntilMs, dueAtMs: leaseUntilMs });
  });
  await assertRejects(() => syncDispute(services, id), ProcessorUncertain);
  assertEquals(await services.store.disputes.find(id), null);
  assertEquals(await shop.ledger(), []);
  clock.advance(60_000);
  await syncDispute(services, id);
  assertEquals(returnedOf(await rowOf(shop, challenge)).disputedCents, 100);
});

Deno.test("a dispute of money taken beside a purchase's own that is told of before that money counts for it", async () => {
  await using shop = await openPaidWorld();
  const id = await sold(shop);
  const { disputes } = shop.world.simulator.control;
  const second = await payAgain(shop, id);
  const dispute = disputes.open(second).id;
  await syncDispute(shop.services, dispute);
  const row = await rowOf(shop, { id });
  assertEquals(row.surplus?.map((each) => each.disputedCents), [100]);
  disputes.turn(dispute, "lost");
  await syncDispute(shop.services, dispute);
  await shop.sweep({ minutes: 60, everyMinutes: 5 });
  const after = await rowOf(shop, { id });
  assertEquals(after.surplus?.map((each) => each.lostCents), [100]);
  assertEquals((await shop.taken()).refunded, []);
});

Deno.test("a purchase's own refund has its turn while a bank holds money beside it", async () => {
  await using shop = await openPaidWorld();
  const id = await sold(shop);
  const second = await payAgain(shop, id);
  const dispute = shop.world.simulator.control.disputes.open(second).id;
  await syncPayment(shop.services, second);
  await syncDispute(shop.services, dispute);
  await shop.services.store.transact(async (tx) => {
    const row = await tx.metricsPayments.find(id);
    assert(row !== null);
    beginRefund(tx, row, shop.world.clock.now());
  });
  await shop.sweep({ minutes: 60, everyMinutes: 5 });
  assertEquals((await rowOf(shop, { id })).state, "refunded");
  assertEquals((await shop.taken()).refunded, [100]);
});

Deno.test("a purchase whose dispute had ended in it without having begun there is given back all the same", async () => {
  await using shop = await openPaidWorld();
  const id = await sold(shop);
  await shop.services.store.transact(async (tx) => {
    const row = await tx.metricsPayments.find(id);
    assert(row !== null);
    const returned = { ...returnedOf(row), disputedCents: -100 };
    beginRefund(tx, { ...row, returned }, shop.world.clock.now());
  });
  await shop.sweep({ minutes: 10 });
  assertEquals((await rowOf(shop, { id })).state, "refunded");
});

Deno.test("a release takes a dispute over with the purchase that was being paid when the store was lost", async () => {
  await using shop = await openPaidWorld();
  await using into = await openTestStore({ clock: shop.world.clock });
  const { challenge, intentId } = await takenUnheard(shop);
  const backup = await backupOf(shop.world);
  await restoreInto(into, backup);
  const { clock, simulator: { control } } = shop.world;
  clock.advance(20 * HOUR_MS);
  const { id } = control.disputes.open(intentId);
  const services = gatedOver(shop.world, into);
  assertEquals(await releaseNoted(services), []);
  control.disputes.turn(id, "won");
  await syncDispute(services, id);
  for (let hour = 0; hour < 48; hour++) {
    clock.advance(HOUR_MS);
    await settlePayments(services, metricsConsequences(services));
  }
  const row = await services.store.metricsPayments
    .find(challenge["id"] ?? "");
  assertEquals(row?.state, "refunded");
  assertEquals((await shop.taken()).refunded, [100]);
});
