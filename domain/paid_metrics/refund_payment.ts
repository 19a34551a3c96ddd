import { ProcessorUncertain } from "../failure.ts";
import { invariant } from "../invariant.ts";
import { refundRest } from "../payments/refund_rest.ts";
import type { ProcessorRefund } from "../payments/processor_credit_notes.ts";
import type { Services } from "../ports.ts";
import { advance } from "../state_machine.ts";
import { bookRefunds } from "./books.ts";
import { leasePayment, logFieldsOf } from "./lease_payment.ts";
import { isRefundLate, refundPauseMs } from "./limits.ts";
import {
  METRICS_PAYMENT_EDGES,
  METRICS_PRICE_CENTS,
  type MetricsPayment,
} from "./metrics_payment.ts";
import { returnedOf, withReturned } from "./returned.ts";

/**
 * A payment whose money is to be given back, to be saved in the transaction
 * that has read it. From then on it buys nothing, and the sweep gives the money
 * back if nobody else does.
 */
export function beginRefund(
  payment: MetricsPayment,
  nowMs: number,
): MetricsPayment {
  return {
    ...payment,
    state: advance(METRICS_PAYMENT_EDGES, payment.state, "refunding"),
    leaseUntilMs: nowMs,
    dueAtMs: nowMs,
    sweeps: 0,
  };
}

/**
 * Gives a payment's money back, if that is due and nobody else is at it. What
 * fails is tried again by the sweep; it never throws for it.
 *
 * @throws {TemporaryFailure} when the store can't be reached
 */
export async function refundPayment(
  services: Services,
  input: { paymentId: string },
): Promise<void> {
  const held = await leasePayment(
    services,
    input.paymentId,
    ({ state, dueAtMs }, nowMs) => state === "refunding" && dueAtMs <= nowMs,
  );
  if (held !== null) await refundLeased(services, held);
}

/** The same for a payment that the caller holds. */
export async function refundLeased(
  services: Services,
  held: MetricsPayment,
): Promise<void> {
  const { log } = services;
  const { intentId } = held;
  invariant(intentId !== null, "what was paid is known at the processor");
  try {
    const { refunds, trouble } = await refundRest(services, {
      paymentId: intentId,
      takenCents: METRICS_PRICE_CENTS,
      returned: returnedOf(held),
      key: `metrics:${held.id}:refund:${held.sweeps}`,
    });
    if (await recordRefunds(services, held, refunds)) return;
    log.error("metrics.refund_refused", {
      ...logFieldsOf(held),
      code: trouble,
    });
  } catch (error) {
    if (!(error instanceof ProcessorUncertain)) throw error;
    log.error("metrics.refund_uncertain", logFieldsOf(held));
  }
  if (isRefundLate(held.sweeps)) {
    log.error("metrics.refund_late", logFieldsOf(held));
  }
  await postponeRefund(services, held);
}

/** The refunds and their entries in the books, together and once. */
async function recordRefunds(
  { store, clock, log }: Services,
  held: MetricsPayment,
  found: readonly ProcessorRefund[],
): Promise<boolean> {
  const isOver = await store.transact(async (tx) => {
    const now = clock.now();
    const payment = await tx.metricsPayments.find(held.id);
    if (payment?.state !== "refunding") return true;
    const returned = bookRefunds(tx, payment, found, now);
    const after = withReturned(payment, returned);
    tx.metricsPayments.save({ ...after, leaseUntilMs: now });
    return after.state === "refunded";
  });
  if (isOver) log.info("metrics.refunded", logFieldsOf(held));
  return isOver;
}

/** Gives the lease back and says when to try again. */
function postponeRefund(
  { store, clock }: Services,
  held: MetricsPayment,
): Promise<void> {
  return store.transact(async (tx) => {
    const now = clock.now();
    const payment = await tx.metricsPayments.find(held.id);
    if (payment?.state !== "refunding") return;
    const dueAtMs = now + refundPauseMs(payment.sweeps);
    tx.metricsPayments.save({ ...payment, leaseUntilMs: now, dueAtMs });
  });
}
