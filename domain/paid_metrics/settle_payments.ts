/**
 * The sweep over payments that nobody waits for any more: outcomes to find out,
 * money to give back, payers who paid and never came for the figures.
 *
 * @module
 */
import { nameOfThrown, ProcessorUncertain } from "../failure.ts";
import { invariant } from "../invariant.ts";
import type { ProcessorPayment } from "../payments/processor.ts";
import type { Services, Transaction } from "../ports.ts";
import { recordCharge } from "./charge.ts";
import { leasePayment, logFieldsOf } from "./lease_payment.ts";
import { METRICS_UNCERTAIN_MS } from "./limits.ts";
import {
  type ChargeAnswer,
  lookUpCharge,
  searchCharge,
  succeededAnswer,
} from "./look_up_charge.ts";
import {
  dueSurplus,
  isPaymentDue,
  isUnclaimed,
  type MetricsChannel,
  type MetricsPayment,
  refundDueAtMs,
} from "./metrics_payment.ts";
import { sweep } from "../tasks/sweep.ts";
import { beginRefund, refundLeased, refundPayment } from "./refund_payment.ts";
import { adoptSurplus, refundSurplus } from "./surplus.ts";

/**
 * What follows from an outcome, in the transaction that records it. The payment
 * has just been saved as `succeeded` or `refused`, never as anything else, and
 * may be saved once more.
 */
export type MetricsConsequence = (
  tx: Transaction,
  payment: MetricsPayment,
  nowMs: number,
) => Promise<void>;

/** The consequences by the way a report was bought. */
export type MetricsConsequences = Readonly<
  Partial<Record<MetricsChannel, MetricsConsequence>>
>;

/** Payments of one run; the next run goes on from there. */
const PAYMENTS_PER_RUN = 200;
const RUN_LANES = 4;
/** A payment that is open for longer than this wants a person. */
const LATE_MS = 2 * METRICS_UNCERTAIN_MS;

/**
 * Settles the payments that are due, longest due first, as far as one run goes.
 * Safe to run twice, in two isolates, and after a crash. One payment's trouble
 * never keeps the others waiting.
 *
 * @param lanes how many are worked on at a time
 */
export async function settlePayments(
  services: Services,
  consequences: MetricsConsequences,
  lanes = RUN_LANES,
): Promise<void> {
  const { store, clock, log } = services;
  await sweep(clock, {
    due: (nowMs) =>
      store.listDue("payments", nowMs, { limit: PAYMENTS_PER_RUN }),
    lanes,
    attempt: ({ id }) => settlePayment(services, consequences, id),
    failed(payment, thrown) {
      const error = nameOfThrown(thrown);
      log.error("metrics.settle_failed", { ...logFieldsOf(payment), error });
    },
  });
}

/**
 * Finds out at once how a payment ended, of which the processor has just told what
 * it made of it. One that took no money as far as we knew is synced again when
 * money was taken after all. A payment that is leased is left to who has the lease.
 */
export async function settlePaymentNow(
  services: Services,
  consequences: MetricsConsequences,
  { paymentId, payment }: { paymentId: string; payment: ProcessorPayment },
): Promise<void> {
  const isPaid = payment.status === "succeeded";
  const takenCents = isPaid ? payment.amountReceivedCents : 0;
  const held = await leasePayment(
    services,
    paymentId,
    ({ state, intentId }) =>
      (state === "charging" || state === "refused" && takenCents > 0) &&
      (intentId === null || intentId === payment.id),
  );
  if (held !== null) {
    // One that was made long after it was begun is not found by its own id.
    const own = { ...held, intentId: payment.id };
    // Money that was taken stays taken; whatever else it was may have changed.
    const answer = isPaid
      ? succeededAnswer(services.settings, payment)
      : await askOrStayOpen(services, own);
    await recordAnswer(services, consequences, own, answer);
  }
  if (takenCents > 0) {
    const intentId = payment.id;
    await adoptSurplus(services, { paymentId, intentId, takenCents });
  }
}

async function settlePayment(
  services: Services,
  consequences: MetricsConsequences,
  paymentId: string,
): Promise<void> {
  const held = await leasePayment(
    services,
    paymentId,
    isPaymentDue,
  );
  if (held === null) return;
  if (isTurnOfSurplus(held, services.clock.now())) {
    return await refundSurplus(services, held);
  }
  switch (held.state) {
    case "charging": {
      const answer = await askOrStayOpen(services, held);
      return await recordAnswer(services, consequences, held, answer);
    }
    case "refunding":
      return await refundLeased(services, held);
    case "succeeded":
      return await refundUnclaimed(services, held);
  }
}

/**
 * Whether this run gives back what was taken beside. With a refund of its
 * own that is due it takes turns: a bank may hold what is beside for months.
 */
function isTurnOfSurplus(held: MetricsPayment, nowMs: number): boolean {
  if (dueSurplus(held).length === 0) return false;
  const ownAtMs = refundDueAtMs(held, nowMs);
  return ownAtMs === null || ownAtMs > nowMs || held.sweeps % 2 === 1;
}

async function recordAnswer(
  services: Services,
  consequences: MetricsConsequences,
  held: MetricsPayment,
  answer: ChargeAnswer,
): Promise<void> {
  const consequence = consequences[held.channel];
  invariant(consequence !== undefined, `${held.channel} has a consequence`);
  const payment = await services.store.transact(async (tx) => {
    const now = services.clock.now();
    const before = await tx.metricsPayments.find(held.id);
    const after = await recordCharge(tx, held, answer, now);
    const isNew = before?.state !== after.state;
    if (isNew && after.state !== "refunding") {
      await consequence(tx, after, now);
    }
    return after;
  });
  logPayment(services, payment, answer);
  await refundPayment(services, { paymentId: held.id });
}

/** Asks the processor; a payment it never heard of is over after an hour. */
async function askOrStayOpen(
  services: Services,
  held: MetricsPayment,
): Promise<ChargeAnswer> {
  const { clock, log } = services;
  try {
    if (held.intentId !== null) return await lookUpCharge(services, held);
    const found = await searchCharge(services, held);
    if (found !== null) return found;
    const isOver = clock.now() >= held.createdAtMs + METRICS_UNCERTAIN_MS;
    return isOver
      ? { kind: "refused", refusal: "not_charged" }
      : { kind: "open", intentId: null };
  } catch (error) {
    if (!(error instanceof ProcessorUncertain)) throw error;
    // Says whether it did not answer or had too many to read.
    log.info("metrics.look_uncertain", {
      ...logFieldsOf(held),
      why: error.message,
    });
    return { kind: "open", intentId: held.intentId };
  }
}

function logPayment(
  { clock, log }: Services,
  payment: MetricsPayment,
  answer: ChargeAnswer,
): void {
  const fields = { ...logFieldsOf(payment), state: payment.state };
  if (payment.state !== "charging") {
    log.info("metrics.payment_settled", fields);
  } else if (clock.now() - payment.createdAtMs < LATE_MS) {
    log.info("metrics.payment_open", { ...fields, answer: answer.kind });
  } else log.error("metrics.payment_late", fields);
}

/** The payer had a day to come for the figures. */
async function refundUnclaimed(
  services: Services,
  held: MetricsPayment,
): Promise<void> {
  const { store, clock, log } = services;
  const isGivenUp = await store.transact(async (tx) => {
    const payment = await tx.metricsPayments.find(held.id);
    if (payment === null || !isUnclaimed(payment)) return false;
    // A repeat with its key needs no lease: the figures are on their way.
    if (payment.leaseUntilMs !== held.leaseUntilMs) return false;
    beginRefund(tx, payment, clock.now());
    return true;
  });
  if (!isGivenUp) return;
  log.info("metrics.payment_unclaimed", logFieldsOf(held));
  await refundPayment(services, { paymentId: held.id });
}
