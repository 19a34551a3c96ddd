import type { Day } from "../day.ts";
import { IDEMPOTENCY_SHORT_MS } from "../idempotency/replay.ts";
import { keptOf, type Returned } from "../payments/returned.ts";
import type { TransitionTable } from "../state_machine.ts";
import { isAhead, isDue } from "../tasks/due.ts";
import {
  METRICS_LEASE_MS,
  METRICS_PAUSE_MAX_MS,
  METRICS_UNCLAIMED_MS,
} from "./limits.ts";

/** What one day's click figures cost, cents, VAT included. */
export const METRICS_PRICE_CENTS = 100;

/** Which way a report is bought: HTTP 402 or an agentic checkout. */
export type MetricsChannel = "http_payment" | "checkout";

/** Why a payment came to a definite end without money. */
export type MetricsPaymentRefusal =
  /** The processor said no to the token or the card. */
  | "declined"
  /** The buyer would have to act; the attempt was cancelled. */
  | "action_required"
  /** The processor never heard of it, so nothing was taken. */
  | "not_charged";

/**
 * How a payment goes. Money is taken at most once on the way from `charging` to
 * `succeeded`; `refused` and `refunded` are its ends without money. All edges are in `METRICS_PAYMENT_EDGES`.
 */
export type MetricsPaymentState =
  | "charging"
  | "succeeded"
  | "refused"
  | "refunding"
  | "refunded";

/** Every change of state there is. */
export const METRICS_PAYMENT_EDGES: TransitionTable<MetricsPaymentState> = {
  charging: ["succeeded", "refused"],
  succeeded: ["refunding"],
  // Money that turns up after all is given back.
  refused: ["refunding"],
  refunding: ["refunded"],
  // What a bank had taken of it comes back on appeal.
  refunded: ["refunding"],
};

/** What is handed over over HTTP 402, for a repeat with the same key. */
export interface MetricsDelivery {
  /** The JSON text of the answer, byte for byte. */
  body: string;
  /** The value of `Payment-Receipt`. */
  receipt: string;
  /** Whether the figures in the body are final; absent: they were not. */
  isFinal?: boolean;
  atMs: number;
  /**
   * When the answer had left. Null: perhaps a crash kept it from leaving, so
   * the payer may come for it once more.
   */
  handedOverAtMs: number | null;
}

/**
 * Money that the processor took once more for the same purchase, though nobody
 * asked it to: it goes back.
 */
export interface SurplusPayment extends Returned {
  /** The processor's. */
  intentId: string;
  takenCents: number;
}

/** One purchase of one day's figures: one row, one charge at most. */
export interface MetricsPayment {
  /**
   * Over HTTP 402 the challenge's id; in a checkout `{session id}.{attempt}`.
   * The processor's idempotency keys are derived from it.
   */
  id: string;
  channel: MetricsChannel;
  day: Day;
  /** SHA-256 of the shared payment token, hex. The token itself is not kept. */
  tokenHash: string;
  state: MetricsPaymentState;
  refusal: MetricsPaymentRefusal | null;
  /** The processor's payment, once known. */
  intentId: string | null;
  /** Where the card was issued, ISO 3166-1 alpha-2; decides the VAT. */
  cardCountry: string | null;
  /** The VAT that was booked with the sale, cents; null before one. */
  vatCents: number | null;
  createdAtMs: number;
  /** How often somebody set out to charge it. */
  attempts: number;
  /** Until when the processor may have been asked to charge it. */
  askedUntilMs: number;
  succeededAtMs: number | null;
  /** Until when one request or sweep alone may ask the processor. */
  leaseUntilMs: number;
  /** When the sweep takes it up next; no meaning in a state that is final. */
  dueAtMs: number;
  /** How often the sweep has taken it up. */
  sweeps: number;
  /** SHA-256 of the Idempotency-Keys it was presented with, hex; bounded. */
  keyHashes: readonly string[];
  delivery: MetricsDelivery | null;
  /** What went back of its money; absent: nothing. */
  returned?: Returned;
  /** Payments beside the one it has; absent: none. */
  surplus?: readonly SurplusPayment[];
  /** Refused ones are forgotten; those with money stay with the books. */
  expiresAtMs: number | null;
}

/**
 * Whether the sweep has something left to do: an outcome to find out, money to
 * give back, or a payer to wait for.
 */
function isUnsettled(payment: MetricsPayment): boolean {
  const { state } = payment;
  return state === "charging" || state === "refunding" ||
    isUnclaimed(payment) || dueSurplus(payment).length > 0;
}

/** When the sweep takes it up next; null once it is settled. */
export function paymentDueAtMs(payment: MetricsPayment): number | null {
  return isUnsettled(payment) ? payment.dueAtMs : null;
}

/** Whether its turn has come, with leases and pauses by a clock that is right. */
export function isPaymentDue(payment: MetricsPayment, nowMs: number): boolean {
  const isPause = payment.dueAtMs !== payment.leaseUntilMs;
  const withinMs = isPause ? METRICS_PAUSE_MAX_MS : METRICS_LEASE_MS;
  return isDue(paymentDueAtMs(payment), nowMs, withinMs);
}

/** Whether one request or sweep alone may ask the processor about it. */
export function isLeased(
  { leaseUntilMs }: Pick<MetricsPayment, "leaseUntilMs">,
  nowMs: number,
): boolean {
  return isAhead(leaseUntilMs, nowMs, METRICS_LEASE_MS);
}

/** The payments taken beside the one it has that are still to be given back. */
export function dueSurplus({ surplus }: MetricsPayment): SurplusPayment[] {
  return (surplus ?? []).filter((each) => keptOf(each.takenCents, each) > 0);
}

/** Until when an answer that was given over HTTP 402 is given once more. */
export function repeatableUntilMs({ atMs }: MetricsDelivery): number {
  return atMs + IDEMPOTENCY_SHORT_MS;
}

/**
 * Whether a payer over HTTP 402 may still ask for the figures: no answer is
 * known to have left, or one did within the last 24 hours.
 */
export function isReportOwed(payment: MetricsPayment, nowMs: number): boolean {
  const { state, delivery } = payment;
  return isUnclaimed(payment) || state === "succeeded" && delivery !== null &&
      nowMs < repeatableUntilMs(delivery);
}

/** Whether a payer has paid over HTTP 402 and perhaps got no figures. */
export function isUnclaimed(
  { state, channel, delivery }: MetricsPayment,
): boolean {
  return state === "succeeded" && channel === "http_payment" &&
    (delivery === null || delivery.handedOverAtMs === null);
}

/**
 * When its own money is due to go back, whatever was taken beside it: a payer has
 * a day to come for the figures. Null for one that is not to go back.
 */
export function refundDueAtMs(
  payment: MetricsPayment,
  nowMs: number,
): number | null {
  const { state, succeededAtMs } = payment;
  if (isUnclaimed(payment)) {
    return succeededAtMs === null
      ? nowMs
      : succeededAtMs + METRICS_UNCLAIMED_MS;
  }
  return state === "refunding" ? nowMs : null;
}
