import { assert, assertEquals } from "@std/assert";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { beginCharge } from "../../../domain/paid_metrics/charge.ts";
import type { MetricsPayment } from "../../../domain/paid_metrics/metrics_payment.ts";
import type { ProcessorPayment } from "../../../domain/payments/processor.ts";
import { settlePaymentNow } from "../../../domain/paid_metrics/settle_payments.ts";
import { DAY, openPaidWorld } from "../../support/paid_world.ts";

/** The outcome was about to be recorded. */
class Recorded extends Error {}

/** What the processor tells of it. */
function paymentOf(takenCents: number): ProcessorPayment {
  return {
    id: "pi_told",
    status: takenCents > 0 ? "succeeded" : "refused",
    amountReceivedCents: takenCents,
    metadata: {},
    cardCountry: null,
  };
}

/** What is known of a payment, what is told of it, and whether it is looked at. */
const TOLD: readonly [Partial<MetricsPayment>, cents: number, boolean][] = [
  [{ state: "charging" }, 0, true],
  [{ state: "charging", intentId: "pi_told" }, 100, true],
  [{ state: "charging", intentId: "pi_other" }, 0, false],
  [{ state: "refused", refusal: "not_charged" }, 0, false],
  [{ state: "refused", refusal: "not_charged" }, 1, true],
  [{ state: "succeeded", intentId: "pi_told" }, 100, false],
];

Deno.test("settlePaymentNow() looks at a payment that is open, or that took no money as far as is known", async () => {
  await using shop = await openPaidWorld();
  const { services } = shop;
  const silent = (): never => {
    throw new ProcessorUncertain("It does not answer");
  };
  const processor = new Proxy(services.processor, { get: () => silent });
  for (const [nth, [changes, takenCents, isLooked]] of TOLD.entries()) {
    const paymentId = `told_${nth}`;
    const purchase = { id: paymentId, channel: "checkout", day: DAY } as const;
    const begun = beginCharge(
      null,
      { ...purchase, token: "t", keyHash: null },
      services.clock.now(),
    );
    const payment = { ...begun, leaseUntilMs: 0, ...changes };
    await services.store.transact((tx) => tx.metricsPayments.save(payment));
    const told = paymentOf(takenCents);
    // What was paid is known, so that it is not asked for but recorded.
    const expected = takenCents > 0 ? Recorded : ProcessorUncertain;
    await settlePaymentNow({ ...services, processor }, {
      checkout: () => Promise.reject(new Recorded()),
    }, { paymentId, payment: told })
      .catch((error) => assert(error instanceof expected, String(error)));
    const after = await services.store.metricsPayments.find(paymentId);
    assertEquals(
      (after?.sweeps ?? 0) > payment.sweeps,
      isLooked,
      JSON.stringify([changes, takenCents]),
    );
  }
});
