/**
 * Taking EUR 1 for a report, in three parts that surround the one call to the
 * processor: the intention is committed first (`beginCharge`), then the
 * processor is asked (`askProcessor`), then the outcome is committed together
 * with whatever it buys (`recordCharge`). A crash between any two leaves a row
 * in `charging`, which the same credential or the sweep brings to its end
 * without a second charge. Decision 0091 says why.
 *
 * @module
 */
import type { Day } from "../day.ts";
import { TemporaryFailure } from "../failure.ts";
import { invariant } from "../invariant.ts";
import type { Services, Transaction } from "../ports.ts";
import { sha256Hex } from "../sha256.ts";
import { advance } from "../state_machine.ts";
import { bookTaken } from "../payments/book_taken.ts";
import { unlessUncertain } from "../payments/outcome.ts";
import { takenFor } from "./books.ts";
import {
  METRICS_CHARGE_WITHIN_MS,
  METRICS_LEASE_MS,
  METRICS_MADE_UP_KEPT_MS,
  METRICS_REFUSED_KEPT_MS,
  METRICS_UNCLAIMED_MS,
  sweepPauseMs,
} from "./limits.ts";
import {
  type ChargeAnswer,
  lookUpCharge,
  type LookupServices,
  metadataOf,
  resolveCharge,
  searchCharge,
} from "./look_up_charge.ts";
import {
  isLeased,
  METRICS_PAYMENT_EDGES,
  METRICS_PRICE_CENTS,
  type MetricsChannel,
  type MetricsPayment,
} from "./metrics_payment.ts";

/** Another request or the sweep is asking the processor about this payment. */
export class PaymentUnderWay extends TemporaryFailure {
  override readonly name = "PaymentUnderWay";
  override readonly retryAfterS = 2;
  override readonly isOrdinary = true;
}

/** What a payment is for. */
export interface MetricsPurchase {
  /** The payment's id; see `MetricsPayment`. */
  id: string;
  channel: MetricsChannel;
  day: Day;
  /** The shared payment token, `spt_…`. Never stored, logged or answered. */
  token: string;
  /** SHA-256 of the request's Idempotency-Key, hex. */
  keyHash: string | null;
}

/** Idempotency-Keys a payment remembers. */
const KEYS_KEPT = 8;

/**
 * The row that says that the processor is about to be asked, to be saved in the
 * transaction that has read `existing`. It leases the payment to the caller.
 *
 * @throws {PaymentUnderWay} while somebody else has the lease, and when it is
 * too late to charge a payment that the processor has not shown yet
 */
export function beginCharge(
  existing: MetricsPayment | null,
  purchase: MetricsPurchase,
  nowMs: number,
): MetricsPayment {
  const tokenHash = sha256Hex(purchase.token);
  const leaseUntilMs = nowMs + METRICS_LEASE_MS;
  if (existing !== null) {
    invariant(existing.state === "charging", "only an open payment is charged");
    invariant(existing.tokenHash === tokenHash, "a payment has one token");
    if (isLeased(existing, nowMs) || isTooLateToCharge(existing, nowMs)) {
      throw new PaymentUnderWay("The payment is under way");
    }
  }
  const payment = existing ?? newPayment(purchase, tokenHash, nowMs);
  return {
    ...payment,
    attempts: payment.attempts + 1,
    askedUntilMs: leaseUntilMs,
    leaseUntilMs,
    dueAtMs: leaseUntilMs,
    keyHashes: withKey(payment.keyHashes, purchase.keyHash),
  };
}

function newPayment(
  { id, channel, day }: Pick<MetricsPurchase, "id" | "channel" | "day">,
  tokenHash: string,
  nowMs: number,
): MetricsPayment {
  return {
    id,
    channel,
    day,
    tokenHash,
    state: "charging",
    refusal: null,
    intentId: null,
    cardCountry: null,
    vatCents: null,
    createdAtMs: nowMs,
    attempts: 0,
    askedUntilMs: nowMs,
    succeededAtMs: null,
    leaseUntilMs: nowMs,
    dueAtMs: nowMs,
    sweeps: 0,
    keyHashes: [],
    delivery: null,
    expiresAtMs: null,
  };
}

/**
 * Whether charging is over: the processor forgets idempotency keys after a day,
 * and the sweep has to know when nobody can charge any more.
 */
export function isTooLateToCharge(
  payment: MetricsPayment,
  nowMs: number,
): boolean {
  return payment.intentId === null &&
    nowMs >= payment.createdAtMs + METRICS_CHARGE_WITHIN_MS;
}

/** The keys a payment was presented with, the last few of them. */
export function withKey(
  kept: readonly string[],
  hash: string | null,
): string[] {
  if (hash === null || kept.includes(hash)) return [...kept];
  return [...kept, hash].slice(-KEYS_KEPT);
}

/**
 * Charges the token, or finds out how far an earlier attempt got. An attempt
 * that waits for the buyer is cancelled: nobody is there to act.
 *
 * @returns null when the lease has ended, as in a process that slept since the
 * commit: then it is another's turn
 */
export async function askProcessor(
  services: LookupServices & Pick<Services, "clock">,
  payment: MetricsPayment,
  token: string,
): Promise<ChargeAnswer | null> {
  if (!isLeased(payment, services.clock.now())) return null;
  const answer = await unlessUncertain(async () => {
    if (payment.intentId !== null) return await lookUpCharge(services, payment);
    // The processor repeats a 500 for a day, so an earlier charge is searched.
    // Charging again under the same key is safe: not finding out is no obstacle.
    const made = payment.attempts > 1
      ? await unlessUncertain(() => searchCharge(services, payment))
      : null;
    return made ?? await chargeToken(services, payment, token);
  });
  return answer ?? { kind: "open", intentId: payment.intentId };
}

/** What the processor calls a token that it does not know. */
const UNKNOWN_TOKEN = "resource_missing";

async function chargeToken(
  services: LookupServices,
  payment: MetricsPayment,
  token: string,
): Promise<ChargeAnswer> {
  const asked = await services.processor.chargeSharedToken({
    amountCents: METRICS_PRICE_CENTS,
    token,
    metadata: metadataOf(payment),
  }, chargeKey(payment));
  if (!asked.ok) {
    const isMadeUp = asked.code === UNKNOWN_TOKEN;
    return { kind: "refused", refusal: "declined", isMadeUp };
  }
  return await resolveCharge(services, payment, asked.value);
}

function chargeKey({ id, tokenHash }: MetricsPayment): string {
  return `metrics:${id}:${tokenHash.slice(0, 32)}`;
}

/**
 * Saves the outcome, and the ledger's entry of a success, in the caller's
 * transaction. An outcome that is recorded already stays: definite answers
 * about one payment agree. One pair does not: money that is there after all,
 * though the payment was taken for not made. It is booked and given back.
 *
 * @returns the payment as it now stands
 */
export async function recordCharge(
  tx: Transaction,
  asked: MetricsPayment,
  answer: ChargeAnswer,
  nowMs: number,
): Promise<MetricsPayment> {
  const current = await tx.metricsPayments.find(asked.id);
  invariant(current !== null, "a payment that was begun is kept");
  const { state } = current;
  const isContrary = state === "refused" && answer.kind === "succeeded";
  if (state !== "charging" && !isContrary) return current;
  const after = afterCharge(current, answer, nowMs);
  if (after.state === "succeeded") bookSale(tx, after, nowMs);
  const next: MetricsPayment = isContrary
    ? { ...after, state: "refunding", dueAtMs: nowMs, expiresAtMs: null }
    : after;
  if (next.state !== state) advance(METRICS_PAYMENT_EDGES, state, next.state);
  tx.metricsPayments.save(next);
  return next;
}

/**
 * Saves and books a payment that the processor has taken and of which the store
 * kept no row, since it was restored from an older backup. With which token it
 * was paid is not known any more, and nobody charges it again.
 *
 * @returns the payment as it now stands
 */
export function adoptCharge(
  tx: Transaction,
  purchase: Pick<MetricsPurchase, "id" | "channel" | "day">,
  answer: ChargeAnswer & { kind: "succeeded" },
  nowMs: number,
): MetricsPayment {
  const payment = afterCharge(newPayment(purchase, "", nowMs), answer, nowMs);
  bookSale(tx, payment, nowMs);
  tx.metricsPayments.save(payment);
  return payment;
}

function bookSale(
  tx: Transaction,
  payment: MetricsPayment,
  nowMs: number,
): void {
  bookTaken(tx, `metrics:${payment.id}`, takenFor(payment), nowMs);
}

/** Of a token that is not there the processor makes no payment: none comes later. */
function refusedKeptMs(
  { channel, attempts }: MetricsPayment,
  { isMadeUp = false }: ChargeAnswer & { kind: "refused" },
): number {
  return channel === "http_payment" && attempts === 1 && isMadeUp
    ? METRICS_MADE_UP_KEPT_MS
    : METRICS_REFUSED_KEPT_MS;
}

function afterCharge(
  payment: MetricsPayment,
  answer: ChargeAnswer,
  nowMs: number,
): MetricsPayment {
  switch (answer.kind) {
    case "succeeded": {
      const { id: intentId, cardCountry } = answer.payment;
      return {
        ...payment,
        state: "succeeded",
        intentId,
        cardCountry,
        vatCents: answer.vatCents,
        succeededAtMs: nowMs,
        leaseUntilMs: nowMs,
        dueAtMs: nowMs + METRICS_UNCLAIMED_MS,
      };
    }
    case "refused": {
      const { refusal } = answer;
      const expiresAtMs = nowMs + refusedKeptMs(payment, answer);
      return {
        ...payment,
        state: "refused",
        refusal,
        leaseUntilMs: nowMs,
        expiresAtMs,
      };
    }
    case "open":
      return {
        ...payment,
        intentId: answer.intentId ?? payment.intentId,
        leaseUntilMs: nowMs,
        dueAtMs: nowMs + sweepPauseMs(payment.sweeps),
      };
  }
}
