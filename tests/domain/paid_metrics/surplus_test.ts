/** Money that was taken twice for one report, and parts of it that moved. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { balanceOf } from "../../../domain/ledger/book_entry.ts";
import type { LedgerAccount } from "../../../domain/ledger/entry.ts";
import {
  beginRefund,
  refundPayment,
} from "../../../domain/paid_metrics/refund_payment.ts";
import { syncPayment } from "../../../domain/webhooks/sync_payment.ts";
import type { Services } from "../../../domain/ports.ts";
import type { FaultKind } from "../../../simulators/stripe/mod.ts";
import { crashingProcessor } from "../../support/crashing_processor.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import {
  offer,
  openPaidWorld,
  type PaidWorld,
  payAgain,
  type SeenChallenge,
  sold,
} from "../../support/paid_world.ts";

/** A payer's money is taken by a process that then dies. */
async function payAndDie(shop: PaidWorld): Promise<SeenChallenge> {
  const { challenge, authorization } = await offer(shop);
  const doomed = shop.world.another((real) => ({
    ...real,
    async chargeSharedToken(input, key) {
      await real.chargeSharedToken(input, key);
      doomed.kv.crash();
      throw new Error("died");
    },
  }));
  await (await shop.asking(doomed.services))({ authorization });
  return challenge;
}

/** The same, found out since. */
async function paidAndUnserved(shop: PaidWorld): Promise<SeenChallenge> {
  const challenge = await payAndDie(shop);
  await shop.sweep({ minutes: 5 });
  return challenge;
}

async function balance(
  shop: PaidWorld,
  account: LedgerAccount,
): Promise<number> {
  return balanceOf(await shop.ledger(), account);
}

/** One payment is kept, the other given back once, and the books say so. */
async function checkOneKept(shop: PaidWorld): Promise<void> {
  assertEquals(await shop.taken(), { charged: [100, 100], refunded: [100] });
  assertEquals(await balance(shop, "processor_clearing"), 100);
  assertEquals(await balance(shop, "refunds_due"), 0);
}

Deno.test("a second payment of one report is given back, once, and the first is kept", async () => {
  await using shop = await openPaidWorld();
  const id = await sold(shop);
  const second = await payAgain(shop, id);
  for (let nth = 0; nth < 3; nth++) await syncPayment(shop.services, second);
  await checkOneKept(shop);
  const payment = await shop.services.store.metricsPayments.find(id);
  assertEquals(payment?.state, "succeeded");
  assert(payment?.intentId !== second, "its own payment stays its own");
  const refund = shop.world.simulator.control.objects("refund")[0];
  assertEquals(refund?.payment_intent, second);
  const { lines } = shop.world.log;
  const told = lines.filter((line) => line.includes("metrics.paid_twice"));
  assertEquals(told.length, 1);
  assertEquals(payment?.surplus?.length, 1);
  assertEquals(payment?.sweeps, 1, "looked at once, for there is no more");
  await shop.sweep({ minutes: 60, everyMinutes: 5 });
  await checkOneKept(shop);
});

Deno.test("eight payments beside a report's own are given back, and one more is left to a person", async () => {
  await using shop = await openPaidWorld();
  const id = await sold(shop);
  const { log } = shop.world;
  for (let nth = 1; nth <= 9; nth++) {
    await syncPayment(shop.services, await payAgain(shop, id));
    const told = log.lines.filter((line) => line.includes("paid_twice"));
    assertEquals(told.length, nth);
    assert(told.at(-1)?.includes(`"isTaken":${nth <= 8}`), told.at(-1));
  }
  await shop.sweep({ minutes: 60, everyMinutes: 5 });
  const { refunded } = await shop.taken();
  assertEquals(refunded, Array.from({ length: 8 }, () => 100));
  assertEquals(await balance(shop, "processor_clearing"), 100);
});

Deno.test("a second payment told of while the first is being found out is looked at again", async () => {
  await using shop = await openPaidWorld();
  const { id = "" } = await payAndDie(shop);
  const second = await payAgain(shop, id);
  // Which of the two is the purchase's own is not known, and it is leased.
  await assertRejects(
    () => syncPayment(shop.services, second),
    ProcessorUncertain,
  );
  await shop.sweep({ minutes: 5 });
  for (const { id } of shop.world.simulator.control.objects("payment_intent")) {
    await syncPayment(shop.services, id);
  }
  await shop.sweep({ minutes: 5 });
  assertEquals(await shop.taken(), { charged: [100, 100], refunded: [100] });
});

Deno.test("looks at a second payment beside each other give it back once", async () => {
  await using shop = await openPaidWorld();
  const second = await payAgain(shop, await sold(shop));
  await Promise.all(
    Array.from({ length: 6 }, () => syncPayment(shop.services, second)),
  );
  await shop.sweep({ minutes: 5 });
  await checkOneKept(shop);
});

for (
  const kind of [
    "error_before_effect",
    "error_after_effect",
    "reset_before_effect",
    "reset_after_effect",
    "rate_limit",
  ] as const satisfies readonly FaultKind[]
) {
  Deno.test(`a second payment's refund that meets ${kind} is made later, and once`, async () => {
    await using shop = await openPaidWorld();
    const second = await payAgain(shop, await sold(shop));
    const path = "/v1/refunds";
    shop.world.simulator.control.addFault({ kind, path, method: "POST" });
    await syncPayment(shop.services, second);
    const told = shop.world.log.lines
      .filter((line) => line.includes("metrics.surplus_refund_"));
    assertEquals(told.length, 1, "what failed is told");
    assert(told[0]?.includes("surplus_refund_uncertain"), told[0]);
    shop.world.simulator.control.clearRequests();
    await shop.sweep({ minutes: 0, everyMinutes: 1 });
    assertEquals(shop.world.simulator.control.requests(), [], "not at once");
    await shop.sweep({ minutes: 60, everyMinutes: 5 });
    await checkOneKept(shop);
  });
}

Deno.test("a report's own refund keeps its turn when a second payment has gone back", async () => {
  await using shop = await openPaidWorld();
  const challenge = await paidAndUnserved(shop);
  const payment = await shop.payment(challenge);
  assert(payment !== null);
  await shop.services.store.transact(async (tx) => {
    await tx.metricsPayments.find(payment.id);
    beginRefund(tx, payment, shop.world.clock.now());
  });
  await syncPayment(shop.services, await payAgain(shop, payment.id));
  const after = await shop.payment(challenge);
  assertEquals(after?.state, "refunding");
  assertEquals(after?.dueAtMs, shop.world.clock.now());
});

Deno.test("giving back hides no error but that the processor is uncertain", async () => {
  await using shop = await openPaidWorld();
  const challenge = await paidAndUnserved(shop);
  const payment = await shop.payment(challenge);
  assert(payment !== null);
  const { services } = shop.world.another((real) => ({
    ...real,
    listRefunds: () => Promise.reject(new TypeError("a bug")),
  }));
  const second = await payAgain(shop, payment.id);
  await assertRejects(() => syncPayment(services, second), TypeError);
  shop.world.clock.advance(3_600_000);
  await shop.services.store.transact(async (tx) => {
    await tx.metricsPayments.find(payment.id);
    beginRefund(tx, payment, shop.world.clock.now());
  });
  const input = { paymentId: payment.id };
  await assertRejects(() => refundPayment(services, input), TypeError);
});

Deno.test("a report's refund that fails is told, waits for its turn whoever asks, and is told once it is made", async () => {
  for (const trouble of ["refused", "uncertain"]) {
    await using shop = await openPaidWorld();
    const challenge = await paidAndUnserved(shop);
    const payment = await shop.payment(challenge);
    assert(payment !== null);
    const { simulator: { control }, clock, log } = shop.world;
    await shop.services.store.transact(async (tx) => {
      await tx.metricsPayments.find(payment.id);
      beginRefund(tx, payment, clock.now());
    });
    const path = "/v1/refunds";
    const dispute = trouble === "refused"
      ? control.disputes.open(payment.intentId ?? "").id
      : "";
    if (trouble === "uncertain") {
      control.addFault({ kind: "reset_before_effect", path, method: "POST" });
    }
    const input = { paymentId: payment.id };
    await refundPayment(shop.services, input);
    const events = () =>
      log.events.filter((event) => event.startsWith("metrics.refund"));
    assertEquals(events(), [`metrics.refund_${trouble}`]);
    const failed = await shop.payment(challenge);
    assertEquals(failed?.sweeps, 1);
    control.clearRequests();
    await refundPayment(shop.services, input);
    assertEquals(control.requests(), [], "its turn has not come");
    if (dispute !== "") control.disputes.turn(dispute, "won");
    clock.advance((failed?.dueAtMs ?? 0) - clock.now());
    await refundPayment(shop.services, input);
    assertEquals(events().at(-1), "metrics.refunded");
  }
});

Deno.test("no refund of a report is asked for while a bank holds a part of its money", async () => {
  await using shop = await openPaidWorld();
  const challenge = await paidAndUnserved(shop);
  const { simulator: { control }, clock, log } = shop.world;
  const paid = await shop.payment(challenge);
  assert(paid !== null && paid.intentId !== null);
  const { id } = control.disputes.open(paid.intentId, { amount: 40 });
  await syncDispute(shop.services, id);
  await shop.services.store.transact(async (tx) => {
    const payment = await tx.metricsPayments.find(paid.id);
    assert(payment !== null);
    beginRefund(tx, payment, clock.now());
  });
  control.clearRequests();
  const input = { paymentId: paid.id };
  await refundPayment(shop.services, input);
  const asked = control.requests().filter(({ method }) => method === "POST");
  assertEquals(asked, []);
  assert(log.lines.some((line) => line.includes("dispute_open")));
  control.disputes.turn(id, "won");
  await syncDispute(shop.services, id);
  await refundPayment(shop.services, input);
  assertEquals((await shop.payment(challenge))?.state, "refunded");
});

Deno.test("a second payment's refund that the processor refuses is told with its code", async () => {
  await using shop = await openPaidWorld();
  const second = await payAgain(shop, await sold(shop));
  const { control } = shop.world.simulator;
  control.disputes.open(second); // which is not told of yet
  await syncPayment(shop.services, second);
  const told = shop.world.log.lines
    .filter((line) => line.includes("metrics.surplus_refund_"));
  assertEquals(told.length, 1);
  assert(told[0]?.includes("surplus_refund_refused"), told[0]);
  assert(told[0]?.includes("charge_disputed"), told[0]);
});

Deno.test("a process that dies while it gives a second payment back leaves a refund that is made once", async () => {
  const dying = async (run: Promise<void>) => {
    await run.catch((error) => {
      if (!isCrash(error)) throw error;
    });
  };
  const recover = async (shop: PaidWorld, second: string) => {
    shop.world.clock.advance(3_600_000);
    await syncPayment(shop.services, second);
    await shop.sweep({ minutes: 30, everyMinutes: 5 });
    await checkOneKept(shop);
  };
  const points = await everyCrashPoint(async (point) => {
    await using shop = await openPaidWorld();
    const second = await payAgain(shop, await sold(shop));
    const doomed = shop.world.another();
    doomed.kv.crashAt(point);
    await dying(syncPayment(doomed.services, second));
    await recover(shop, second);
    return doomed.kv.dead;
  });
  assert(points >= 4, `${points} points`);
  for (let call = 1; call <= 4; call++) {
    for (const when of ["before", "after"] as const) {
      await using shop = await openPaidWorld();
      const second = await payAgain(shop, await sold(shop));
      const doomed: { services: Services; kv: { crash(): void } } = shop.world
        .another((real) =>
          crashingProcessor(real, { call, when }, () => doomed.kv.crash())
        );
      await dying(syncPayment(doomed.services, second));
      await recover(shop, second);
    }
  }
});

Deno.test("a payer who has not come yet keeps the day while a second payment goes back", async () => {
  await using shop = await openPaidWorld();
  const challenge = await paidAndUnserved(shop);
  const id = challenge["id"] ?? "";
  await syncPayment(shop.services, await payAgain(shop, id));
  await shop.sweep({ minutes: 60, everyMinutes: 5 });
  assertEquals((await shop.payment(challenge))?.state, "succeeded");
  await checkOneKept(shop);
  await shop.sweep({ minutes: 1_500, everyMinutes: 60 });
  assertEquals((await shop.payment(challenge))?.state, "refunded");
  assertEquals(await balance(shop, "processor_clearing"), 0);
});

Deno.test("a second payment that a bank takes in part gives back what is left", async () => {
  await using shop = await openPaidWorld();
  const second = await payAgain(shop, await sold(shop));
  const { disputes } = shop.world.simulator.control;
  const dispute = disputes.open(second, { amount: 30 }).id;
  await syncPayment(shop.services, second);
  await syncDispute(shop.services, dispute);
  disputes.turn(dispute, "lost");
  await syncDispute(shop.services, dispute);
  await shop.sweep({ minutes: 60, everyMinutes: 5 });
  assertEquals((await shop.taken()).refunded, [70]);
  assertEquals(await balance(shop, "processor_clearing"), 100);
  assertEquals(await balance(shop, "refunds_due"), 0);
  assertEquals(await balance(shop, "dispute_losses"), 0);
});

Deno.test("a report's money that was partly given back by hand is booked movement by movement", async () => {
  await using shop = await openPaidWorld();
  const challenge = await paidAndUnserved(shop);
  const intent = (await shop.payment(challenge))?.intentId ?? "";
  const { stripe } = shop.world;
  await stripe.refunds.create({ payment_intent: intent, amount: 40 });
  await shop.sweep({ minutes: 1_500, everyMinutes: 60 });
  assertEquals((await shop.payment(challenge))?.state, "refunded");
  assertEquals((await shop.taken()).refunded.toSorted(), [40, 60]);
  const entries = (await shop.ledger()).filter(({ kind }) => kind === "refund");
  assertEquals(
    entries.map((entry) => balanceOf([entry], "processor_clearing"))
      .toSorted(),
    [-40, -60],
  );
  assertEquals(await balance(shop, "metrics_revenue"), 0);
  assertEquals(await balance(shop, "vat_payable"), 0);
});

Deno.test("a report's refund that is refused again and again is tried once a day after the first one, and told", async () => {
  await using shop = await openPaidWorld();
  const challenge = await paidAndUnserved(shop);
  const { simulator, log } = shop.world;
  const intent = (await shop.payment(challenge))?.intentId ?? "";
  simulator.control.disputes.open(intent);
  await shop.sweep({ minutes: 4 * 1_440, everyMinutes: 15 });
  simulator.control.clearRequests();
  await shop.sweep({ minutes: 3 * 1_440, everyMinutes: 15 });
  const asked = simulator.control.requests()
    .filter(({ method, path }) => method === "POST" && path === "/v1/refunds");
  assert(asked.length <= 4, `${asked.length} in three days`);
  assert(asked.length >= 2, "it goes on");
  assert(log.lines.some((line) => line.includes("metrics.refund_late")));
});

Deno.test("a payer who never comes is given the first payment back after a day, while a bank holds the second", async () => {
  await using shop = await openPaidWorld();
  const challenge = await paidAndUnserved(shop);
  const second = await payAgain(shop, challenge["id"] ?? "");
  const { disputes } = shop.world.simulator.control;
  const { id } = disputes.open(second);
  await syncDispute(shop.services, id);
  await shop.sweep({ minutes: 1_380, everyMinutes: 15 });
  assertEquals((await shop.payment(challenge))?.state, "succeeded");
  await shop.sweep({ minutes: 180, everyMinutes: 15 });
  assertEquals((await shop.payment(challenge))?.state, "refunded");
  disputes.turn(id, "won");
  await syncDispute(shop.services, id);
  await shop.sweep({ minutes: 60, everyMinutes: 5 });
  assertEquals((await shop.taken()).refunded, [100, 100]);
  assertEquals(await balance(shop, "processor_clearing"), 0);
});
