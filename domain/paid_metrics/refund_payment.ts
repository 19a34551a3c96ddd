import { invariant } from "../invariant.ts";
import { bookRefunds } from "../payments/book_taken.ts";
import { refundRest, UNCERTAIN } from "../payments/refund_rest.ts";
import type { ProcessorRefund } from "../payments/processor_credit_notes.ts";
import type { Services, Transaction } from "../ports.ts";
import { advance } from "../state_machine.ts";
import { takenFor } from "./books.ts";
import { leasePayment, logFieldsOf } from "./lease_payment.ts";
import { isRefundLate, refundPauseMs } from "./limits.ts";
import {
  isPaymentDue,
  METRICS_PAYMENT_EDGES,
  METRICS_PRICE_CENTS,
  type MetricsPayment,
} from "./metrics_payment.ts";
import { returnedOf, withReturned } from "./returned.ts";

/**
 * Has a payment's money given back, in the caller's commit, if it took any. From
 * then on it buys nothing, and the sweep gives the money back if nobody else
 * does.
 */
export function beginRefund(
  tx: Pick<Transaction, "metricsPayments">,
  payment: MetricsPayment,
  nowMs: number,
): void {
  if (payment.state !== "succeeded") return;
  tx.metricsPayments.save({
    ...payment,
    state: advance(METRICS_PAYMENT_EDGES, payment.state, "refunding"),
    leaseUntilMs: nowMs,
    dueAtMs: nowMs,
    sweeps: 0,
  });
}

/**
 * Gives a payment's money back, if that is due and nobody has its lease. What
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
    (payment, nowMs) =>
      payment.state === "refunding" && isPaymentDue(payment, nowMs),
  );
  if (held !== null) await refundLeased(services, held);
}

/** The same for a payment that the caller has leased. */
export async function refundLeased(
  services: Services,
  held: MetricsPayment,
): Promise<void> {
  const { log } = services;
  const { intentId } = held;
  invariant(intentId !== null, "what was paid is known at the processor");
  const { refunds, trouble } = await refundRest(services, {
    paymentId: intentId,
    takenCents: METRICS_PRICE_CENTS,
    returned: returnedOf(held),
    key: `metrics:${held.id}:refund:${held.sweeps}`,
  });
  const fields = logFieldsOf(held);
  if (await recordRefunds(services, held, refunds)) {
    return log.info("metrics.refunded", fields);
  }
  if (trouble === UNCERTAIN) log.error("metrics.refund_uncertain", fields);
  else log.error("metrics.refund_refused", { ...fields, code: trouble });
  if (isRefundLate(held.sweeps)) log.error("metrics.refund_late", fields);
}

/**
 * The refunds and their entries in the ledger, together and once, with the end
 * of the lease and when to try again.
 *
 * @returns whether nothing is left to give back
 */
function recordRefunds(
  { store, clock }: Services,
  held: MetricsPayment,
  found: readonly ProcessorRefund[],
): Promise<boolean> {
  return store.transact(async (tx) => {
    const now = clock.now();
    const payment = await tx.metricsPayments.find(held.id);
    if (payment?.state !== "refunding") return true;
    const before = returnedOf(payment);
    const returned = bookRefunds(tx, takenFor(payment), before, found, now);
    const after = withReturned(payment, returned);
    const isOver = after.state === "refunded";
    const dueAtMs = isOver ? after.dueAtMs : now + refundPauseMs(after.sweeps);
    tx.metricsPayments.save({ ...after, leaseUntilMs: now, dueAtMs });
    return isOver;
  });
}
