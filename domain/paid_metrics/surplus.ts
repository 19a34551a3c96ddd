/**
 * Money that the processor took once more for a purchase that has its payment:
 * it buys nothing and goes back, once.
 *
 * @module
 */
import { ProcessorUncertain } from "../failure.ts";
import { bookRefunds, bookTaken } from "../payments/book_taken.ts";
import { refundRest, UNCERTAIN } from "../payments/refund_rest.ts";
import type { ProcessorRefund } from "../payments/processor_credit_notes.ts";
import { NOTHING_RETURNED } from "../payments/returned.ts";
import type { Services } from "../ports.ts";
import { takenBeside } from "./books.ts";
import { leasePayment, logFieldsOf } from "./lease_payment.ts";
import { refundPauseMs } from "./limits.ts";
import {
  dueSurplus,
  type MetricsPayment,
  refundDueAtMs,
  type SurplusPayment,
} from "./metrics_payment.ts";

/** Payments beside its own that are kept of one purchase. */
const SURPLUS_MAX = 8;

/**
 * Adopts money that the processor took for a purchase that has another payment
 * already, and gives it back. Harmless to repeat. That payment itself is none of
 * it.
 *
 * @throws {ProcessorUncertain} while the purchase's own payment is being found
 * out, which may be this one: whoever heard of it looks again
 * @throws {TemporaryFailure} when the store can't be reached
 */
export async function adoptSurplus(
  services: Services,
  { paymentId, intentId, takenCents }: {
    paymentId: string;
    intentId: string;
    takenCents: number;
  },
): Promise<void> {
  const { store, clock, log } = services;
  const found = await store.transact(async (tx) => {
    const now = clock.now();
    const payment = await tx.metricsPayments.find(paymentId);
    if (payment === null) return null;
    const known = payment.surplus ?? [];
    const isKnown = payment.intentId === intentId ||
      known.some((each) => each.intentId === intentId);
    if (isKnown) return { payment };
    if (payment.intentId === null) {
      throw new ProcessorUncertain("Which payment is its own is not known yet");
    }
    if (known.length >= SURPLUS_MAX) return { payment, isTaken: false };
    const surplus = { intentId, takenCents, ...NOTHING_RETURNED };
    bookTaken(tx, `metrics_surplus:${intentId}`, takenBeside(surplus), now);
    const after = {
      ...payment,
      surplus: [...known, surplus],
      dueAtMs: now,
      expiresAtMs: null,
    };
    tx.metricsPayments.save(after);
    return { payment: after, isTaken: true };
  });
  if (found === null) return;
  const { payment, isTaken } = found;
  if (isTaken !== undefined) {
    log.error("metrics.paid_twice", { ...logFieldsOf(payment), isTaken });
  }
  // Most have none, which has just been read.
  if (dueSurplus(payment).length === 0) return;
  const held = await leasePayment(
    services,
    paymentId,
    (each) => dueSurplus(each).length > 0,
  );
  if (held !== null) await refundSurplus(services, held);
}

/**
 * Gives back what was taken beside a payment's own, for a payment that the
 * caller has leased, and gives the lease back. What fails is tried again by the
 * sweep; it never throws for it.
 */
export async function refundSurplus(
  services: Services,
  held: MetricsPayment,
): Promise<void> {
  for (const surplus of dueSurplus(held)) {
    const refunds = await attemptRefund(services, held, surplus);
    await recordSurplusRefunds(services, held, surplus, refunds);
  }
  await releaseLease(services, held);
}

async function attemptRefund(
  services: Services,
  held: MetricsPayment,
  surplus: SurplusPayment,
): Promise<readonly ProcessorRefund[]> {
  const { log } = services;
  const { intentId, takenCents } = surplus;
  const { refunds, trouble } = await refundRest(services, {
    paymentId: intentId,
    takenCents,
    returned: surplus,
    key: `metrics_surplus:${intentId}:refund:${held.sweeps}`,
  });
  const fields = logFieldsOf(held);
  if (trouble === UNCERTAIN) {
    log.error("metrics.surplus_refund_uncertain", fields);
  } else if (trouble !== null) {
    log.error("metrics.surplus_refund_refused", { ...fields, code: trouble });
  }
  return refunds;
}

function recordSurplusRefunds(
  { store, clock }: Services,
  held: MetricsPayment,
  { intentId }: SurplusPayment,
  refunds: readonly ProcessorRefund[],
): Promise<void> {
  return store.transact(async (tx) => {
    const now = clock.now();
    const payment = await tx.metricsPayments.find(held.id);
    if (payment === null) return;
    const surplus = (payment.surplus ?? []).map((each) =>
      each.intentId === intentId
        ? bookRefunds(tx, takenBeside(each), each, refunds, now)
        : each
    );
    tx.metricsPayments.save({ ...payment, surplus });
  });
}

/** The lease goes back; what else the payment waits for keeps its time. */
function releaseLease({ store, clock }: Services, held: MetricsPayment) {
  return store.transact(async (tx) => {
    const now = clock.now();
    const payment = await tx.metricsPayments.find(held.id);
    if (payment === null) return;
    const isDue = dueSurplus(payment).length > 0;
    const dueAtMs = isDue
      ? now + refundPauseMs(payment.sweeps)
      : refundDueAtMs(payment, now) ?? now;
    tx.metricsPayments.save({ ...payment, leaseUntilMs: now, dueAtMs });
  });
}
