import { ProcessorUncertain } from "../failure.ts";
import { invariant } from "../invariant.ts";
import type { Services } from "../ports.ts";
import { advance } from "../state_machine.ts";
import { bookRefund } from "./books.ts";
import { holdPayment, nameOf } from "./hold.ts";
import { sweepPauseMs } from "./limits.ts";
import {
  METRICS_PAYMENT_EDGES,
  type MetricsPayment,
} from "./metrics_payment.ts";

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
  const held = await holdPayment(
    services,
    input.paymentId,
    ({ state, dueAtMs }, nowMs) => state === "refunding" && dueAtMs <= nowMs,
  );
  if (held !== null) await giveBack(services, held);
}

/** The same for a payment that the caller holds. */
export async function giveBack(
  services: Services,
  held: MetricsPayment,
): Promise<void> {
  const { processor, log } = services;
  const { intentId } = held;
  invariant(intentId !== null, "what was paid is known at the processor");
  // A full refund can't be made twice, so each attempt has a key of its own:
  // the processor repeats a saved 500 for a day.
  const key = `metrics:${held.id}:refund:${held.sweeps}`;
  try {
    const refund = await processor.refundPayment(intentId, key);
    if (refund.ok) return await recordRefund(services, held);
    log.error("metrics.refund_refused", { ...nameOf(held), code: refund.code });
  } catch (error) {
    if (!(error instanceof ProcessorUncertain)) throw error;
    log.error("metrics.refund_uncertain", nameOf(held));
  }
  await postpone(services, held);
}

/** The refund and its entry in the books, together and once. */
async function recordRefund(
  { store, clock, log }: Services,
  held: MetricsPayment,
): Promise<void> {
  await store.transact(async (tx) => {
    const now = clock.now();
    const payment = await tx.metricsPayments.find(held.id);
    if (payment?.state !== "refunding") return;
    const state = advance(METRICS_PAYMENT_EDGES, payment.state, "refunded");
    tx.metricsPayments.save({ ...payment, state, leaseUntilMs: now });
    bookRefund(tx, payment, now);
  });
  log.info("metrics.refunded", nameOf(held));
}

/** Gives the lease back and says when to try again. */
function postpone(
  { store, clock }: Services,
  held: MetricsPayment,
): Promise<void> {
  return store.transact(async (tx) => {
    const now = clock.now();
    const payment = await tx.metricsPayments.find(held.id);
    if (payment?.state !== "refunding") return;
    const dueAtMs = now + sweepPauseMs(payment.sweeps);
    tx.metricsPayments.save({ ...payment, leaseUntilMs: now, dueAtMs });
  });
}
