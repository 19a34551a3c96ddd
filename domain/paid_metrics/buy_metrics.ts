/**
 * Selling one day's figures over HTTP 402. Three commits surround the one call
 * to the processor: the intention; the outcome, together with the answer it
 * buys; that the answer has left. A crash before the last of them lets the
 * payer come for the answer once more, since nobody can tell whether it had
 * left.
 *
 * @module
 */
import { nameOfThrown, StoreOnHold } from "../failure.ts";
import { isActiveHold } from "../hold/hold.ts";
import { invariant } from "../invariant.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { askProcessor, PaymentUnderWay, recordCharge } from "./charge.ts";
import { logFieldsOf } from "./lease_payment.ts";
import { isUnclaimed } from "./metrics_payment.ts";
import { readMetricsReport } from "./metrics_report.ts";
import type { MetricsPresentation, WriteAnswer } from "./presentation.ts";
import { refundPayment } from "./refund_payment.ts";
import {
  type PresentationContext,
  type PresentationResult,
  resultAfterCharge,
  startPresentation,
  type ToCharge,
} from "./presentation_result.ts";

/** The answer to a payer. */
export interface MetricsAnswer {
  body: string;
  /** The value of `Payment-Receipt`. */
  receipt: string;
  /** Whether the figures in the body never change again. */
  isFinal: boolean;
  /** Whether it is an answer that was written before. */
  isReplay: boolean;
  /** To be called when the answer has left; never rejects. */
  left(): Promise<void>;
}

/** Runs one of the commits of a presentation. */
type Commit = <T>(
  run: (context: PresentationContext) => Promise<T>,
) => Promise<T>;

/**
 * Takes EUR 1 once for a challenge and answers with the figures once; again
 * only to a repeat with an Idempotency-Key it came with before, for a day.
 *
 * @throws {Refused} `spotlight_not_found` for a day that is not on sale, whose
 * payment is given back; `payment_required` with what is wanted
 * @throws {StoreOnHold} while the store is on hold; nothing is written then
 * @throws {PaymentUnderWay} while nobody knows whether money was taken, or
 * another request is at it: only the same credential goes on then
 */
export async function buyMetrics(
  services: Services,
  presented: MetricsPresentation,
  writeAnswer: WriteAnswer,
): Promise<MetricsAnswer> {
  // Before any money is taken: what can't be read is not sold.
  const { report, isFinal } = await readMetricsReport(services, presented.day);
  const deliver: PresentationContext["deliver"] = (
    { intentId, succeededAtMs },
    nowMs,
  ) => {
    invariant(intentId !== null && succeededAtMs !== null, "it is paid");
    const paid = { report, intentId, paidAtMs: succeededAtMs };
    const written = writeAnswer(paid);
    return { ...written, isFinal, atMs: nowMs, handedOverAtMs: null };
  };
  const { store, clock } = services;
  const commit: Commit = (run) =>
    store.transact((tx) => run({ tx, presented, deliver, nowMs: clock.now() }));
  const begun = await commit(async (context) => {
    const { paymentId, day } = presented;
    const { metricsPayments, spotlights, holds } = context.tx;
    const [payment, spotlight, hold] = await context.tx.getMany([
      metricsPayments.ref(paymentId),
      spotlights.ref(day),
      holds.ref(),
    ]);
    const begun = startPresentation(context, payment, spotlight);
    // What was bought before is answered, and nothing else is sold.
    if (begun.kind === "charge" && isActiveHold(hold)) throw new StoreOnHold();
    return begun;
  });
  const result = begun.kind === "charge"
    ? await charge(services, commit, begun)
    : begun;
  return await conclude(services, presented, result);
}

/** Asks the processor, and commits the outcome with the answer it buys. */
async function charge(
  services: Services,
  commit: Commit,
  { payment, token }: ToCharge,
): Promise<PresentationResult> {
  const answer = await askProcessor(services, payment, token);
  if (answer === null) return { kind: "open", payment };
  return await commit(async (context) => {
    const { metricsPayments, spotlights } = context.tx;
    const [, spotlight] = await context.tx.getMany([
      metricsPayments.ref(payment.id),
      spotlights.ref(payment.day),
    ]);
    const now = await recordCharge(context.tx, payment, answer, context.nowMs);
    return resultAfterCharge(context, now, spotlight);
  });
}

async function conclude(
  services: Services,
  { day, paymentId }: MetricsPresentation,
  result: PresentationResult,
): Promise<MetricsAnswer> {
  switch (result.kind) {
    case "answer": {
      const { body, receipt, isFinal = false } = result.delivery;
      const { isReplay } = result;
      const left = () => recordLeft(services, paymentId);
      return { body, receipt, isFinal, isReplay, left };
    }
    case "open":
      services.log.info("metrics.payment_open", logFieldsOf(result.payment));
      throw new PaymentUnderWay("The payment is under way");
    case "need":
      if (result.need === "refunded") {
        await refundPayment(services, { paymentId });
      }
      return refuse({ code: "payment_required", why: result.need });
    case "answered":
      return refuse({
        code: "payment_required",
        why: "answered",
        given: result.given,
      });
    case "gone":
      await refundPayment(services, { paymentId });
      return refuse({ code: "spotlight_not_found", day });
  }
}

/** If it can't be recorded, the payer may come once more, and gets it. */
async function recordLeft(
  { store, clock, log }: Services,
  paymentId: string,
): Promise<void> {
  try {
    await store.transact(async (tx) => {
      const nowMs = clock.now();
      const payment = await tx.metricsPayments.find(paymentId);
      if (payment === null || !isUnclaimed(payment)) return;
      invariant(payment.delivery !== null, "an answer that left was kept");
      tx.metricsPayments.save({
        ...payment,
        delivery: { ...payment.delivery, handedOverAtMs: nowMs },
        leaseUntilMs: nowMs,
      });
    });
  } catch (error) {
    log.error("metrics.left_unrecorded", { error: nameOfThrown(error) });
  }
}
