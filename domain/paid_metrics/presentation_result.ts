/**
 * Where a presented credential stands, by the row of its challenge. All of it
 * happens in the transaction that has read the row and the day.
 *
 * @module
 */
import { invariant } from "../invariant.ts";
import type { Transaction } from "../ports.ts";
import type { Spotlight } from "../spotlights/spotlight.ts";
import { beginCharge, withKey } from "./charge.ts";
import { METRICS_HAND_OVER_MS } from "./limits.ts";
import {
  isLeased,
  isReportOwed,
  type MetricsDelivery,
  type MetricsPayment,
  repeatableUntilMs,
} from "./metrics_payment.ts";
import { isOnSale } from "./metrics_report.ts";
import type { GivenReport, PaymentNeed } from "./payment_need.ts";
import { isItsToken, type MetricsPresentation } from "./presentation.ts";
import { beginRefund } from "./refund_payment.ts";

/** One presentation inside a transaction. */
export interface PresentationContext {
  tx: Transaction;
  presented: MetricsPresentation;
  nowMs: number;
  /** Writes the answer to a payment that has succeeded. */
  deliver(payment: MetricsPayment, nowMs: number): MetricsDelivery;
}

/** Where a presentation ends, for now or for good. */
export type PresentationResult =
  | { kind: "answer"; delivery: MetricsDelivery; isReplay: boolean }
  | { kind: "open"; payment: MetricsPayment }
  | { kind: "need"; need: PaymentNeed }
  | { kind: "answered"; given: GivenReport }
  | { kind: "gone" };

/** A payment that is the caller's alone to charge. */
export interface ToCharge {
  kind: "charge";
  payment: MetricsPayment;
  token: string;
}

/**
 * Where a presentation begins: the challenge's row decides, and the challenge's
 * age counts at its first use only.
 *
 * @throws {PaymentUnderWay} while another request or the sweep has its lease
 */
export function startPresentation(
  context: PresentationContext,
  payment: MetricsPayment | null,
  spotlight: Spotlight | null,
): PresentationResult | ToCharge {
  const { presented } = context;
  const isOwn = payment !== null && isItsToken(payment, presented);
  if (!isOnSale(spotlight)) {
    return removedResult(context, isOwn ? payment : null);
  }
  if (payment === null) return beginFirst(context);
  if (!isOwn) return { kind: "need", need: "used_challenge" };
  return payment.state === "charging"
    ? toCharge(context, payment)
    : resultOf(context, payment);
}

function beginFirst(
  context: PresentationContext,
): PresentationResult | ToCharge {
  const { payload, challengeExpiresAtMs } = context.presented;
  if (context.nowMs >= challengeExpiresAtMs) {
    return { kind: "need", need: "expired_challenge" };
  }
  if ("need" in payload) return { kind: "need", need: payload.need };
  return toCharge(context, null);
}

function toCharge(
  { tx, presented, nowMs }: PresentationContext,
  existing: MetricsPayment | null,
): ToCharge {
  const { paymentId: id, day, payload, keyHash } = presented;
  invariant("token" in payload, "only a token is charged");
  const { token } = payload;
  const channel = "http_payment";
  const purchase = { id, channel, day, token, keyHash } as const;
  const payment = beginCharge(existing, purchase, nowMs);
  tx.metricsPayments.save(payment);
  return { kind: "charge", payment, token };
}

/** Where a payment leads, once an outcome of asking has been recorded. */
export function resultAfterCharge(
  context: PresentationContext,
  payment: MetricsPayment,
  spotlight: Spotlight | null,
): PresentationResult {
  return isOnSale(spotlight)
    ? resultOf(context, payment)
    : removedResult(context, payment);
}

function resultOf(
  context: PresentationContext,
  payment: MetricsPayment,
): PresentationResult {
  switch (payment.state) {
    case "charging":
      return { kind: "open", payment };
    case "succeeded":
      return paidResult(context, payment);
    case "refused":
      invariant(payment.refusal !== null, "a refused payment says why");
      return { kind: "need", need: payment.refusal };
    case "refunding":
    case "refunded":
      return { kind: "need", need: "refunded" };
  }
}

/**
 * The answer that was paid for. Until it is known to have left, one request at
 * a time may give it, and a repeat with its key at any time; then that repeat
 * alone, for a day.
 */
function paidResult(
  { tx, presented, nowMs, deliver }: PresentationContext,
  payment: MetricsPayment,
): PresentationResult {
  const { keyHash } = presented;
  const { delivery: before, keyHashes } = payment;
  const isRepeat = keyHash !== null && keyHashes.includes(keyHash);
  if (before !== null && before.handedOverAtMs !== null) {
    return isRepeat && nowMs < repeatableUntilMs(before)
      ? { kind: "answer", delivery: before, isReplay: true }
      : { kind: "answered", given: givenReport(payment, before) };
  }
  if (isLeased(payment, nowMs) && !isRepeat) return { kind: "open", payment };
  const delivery = before ?? deliver(payment, nowMs);
  tx.metricsPayments.save({
    ...payment,
    delivery,
    leaseUntilMs: nowMs + METRICS_HAND_OVER_MS,
    keyHashes: withKey(keyHashes, keyHash),
  });
  return { kind: "answer", delivery, isReplay: before !== null };
}

function givenReport(
  { succeededAtMs, keyHashes }: MetricsPayment,
  delivery: MetricsDelivery,
): GivenReport {
  invariant(succeededAtMs !== null, "what was answered was paid");
  return {
    chargedAtMs: succeededAtMs,
    hasKey: keyHashes.length > 0,
    repeatableUntilMs: repeatableUntilMs(delivery),
  };
}

/**
 * Nobody gets figures of a day that was removed, so nobody pays for them: a
 * payer who comes for them within their 24 hours has the money back, as in a
 * checkout. An answer that is just leaving is left alone.
 */
function removedResult(
  { tx, nowMs }: PresentationContext,
  payment: MetricsPayment | null,
): PresentationResult {
  const isOwed = payment !== null && isReportOwed(payment, nowMs) &&
    !isLeased(payment, nowMs);
  if (isOwed) beginRefund(tx, payment, nowMs);
  return { kind: "gone" };
}
