/**
 * Taking EUR 1 for a report, in three parts that surround the one call to the
 * processor: the intention is committed first (`beginCharge`), then the
 * processor is asked (`askProcessor`), then the outcome is committed together
 * with whatever it buys (`recordCharge`). A crash between any two leaves a row
 * in `charging`, which the same credential or the sweep brings to its end
 * without a second charge.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Day } from "../day.ts";
import { ProcessorUncertain, TemporaryFailure } from "../failure.ts";
import { invariant } from "../invariant.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import type { ProcessorPayment } from "../payments/processor.ts";
import type { Services, Transaction } from "../ports.ts";
import { advance } from "../state_machine.ts";
import { METRICS_LEASE_MS, METRICS_REFUSED_KEPT_MS } from "./limits.ts";
import {
  METRICS_PAYMENT_EDGES,
  METRICS_PRICE_CENTS,
  type MetricsChannel,
  type MetricsPayment,
  type MetricsPaymentRefusal,
} from "./metrics_payment.ts";

/** Another request or the sweep is asking the processor about this payment. */
export class PaymentUnderWay extends TemporaryFailure {
  override readonly name = "PaymentUnderWay";
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

/** What the processor's answer comes to. */
export type ChargeAnswer =
  | { kind: "succeeded"; payment: ProcessorPayment }
  | { kind: "refused"; refusal: MetricsPaymentRefusal }
  /** Nobody knows yet. */
  | { kind: "open"; intentId: string | null };

/** Idempotency-Keys a payment remembers. */
const KEYS_KEPT = 8;

/** The form in which tokens and keys are kept. */
export function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * The row that says that the processor is about to be asked, to be saved in the
 * transaction that has read `existing`. It leases the payment to the caller.
 *
 * @throws {PaymentUnderWay} while somebody else has the lease
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
    if (existing.leaseUntilMs > nowMs) {
      throw new PaymentUnderWay("The payment is under way");
    }
  }
  const { id, channel, day } = purchase;
  const payment: MetricsPayment = existing ?? {
    id,
    channel,
    day,
    tokenHash,
    state: "charging",
    refusal: null,
    intentId: null,
    cardCountry: null,
    createdAtMs: nowMs,
    succeededAtMs: null,
    leaseUntilMs,
    dueAtMs: leaseUntilMs,
    sweeps: 0,
    keyHashes: [],
    delivery: null,
    expiresAtMs: null,
  };
  const keyHashes = withKey(payment.keyHashes, purchase.keyHash);
  return { ...payment, leaseUntilMs, dueAtMs: leaseUntilMs, keyHashes };
}

function withKey(kept: readonly string[], hash: string | null): string[] {
  if (hash === null || kept.includes(hash)) return [...kept];
  return [...kept, hash].slice(-KEYS_KEPT);
}

/**
 * Charges the token, or looks how far an earlier attempt got. An attempt that
 * waits for the buyer is cancelled: nobody is there to act.
 */
export async function askProcessor(
  { processor }: Pick<Services, "processor">,
  payment: MetricsPayment,
  token: string,
): Promise<ChargeAnswer> {
  return await answerOf(payment, async () => {
    if (payment.intentId !== null) return await look(processor, payment);
    const asked = await processor.chargeSharedToken({
      amountCents: METRICS_PRICE_CENTS,
      token,
      metadata: metadataOf(payment),
    }, chargeKey(payment));
    if (!asked.ok) return { kind: "refused", refusal: "declined" };
    return await weigh(processor, payment, asked.value);
  });
}

/** A payment that was seen can't vanish: then the set-up is wrong, so wait. */
async function look(
  processor: Services["processor"],
  payment: MetricsPayment,
): Promise<ChargeAnswer> {
  const { intentId } = payment;
  invariant(intentId !== null, "only a payment that was seen is looked at");
  const found = await processor.retrievePayment(intentId);
  if (!found.ok) return { kind: "open", intentId };
  return await weigh(processor, payment, found.value);
}

/** What a payment at the processor, as it stands, comes to. */
export async function weigh(
  processor: Pick<Services["processor"], "cancelPayment">,
  payment: MetricsPayment,
  found: ProcessorPayment,
): Promise<ChargeAnswer> {
  switch (found.status) {
    case "succeeded":
      return { kind: "succeeded", payment: found };
    case "refused":
    case "canceled":
      return { kind: "refused", refusal: "declined" };
    case "processing":
      return { kind: "open", intentId: found.id };
    case "requires_action": {
      const gone = await processor.cancelPayment(
        found.id,
        `metrics:${payment.id}:cancel:${payment.sweeps}`,
      );
      // It was decided under our hands, perhaps paid: the next look tells.
      return gone.ok && gone.value.status === "canceled"
        ? { kind: "refused", refusal: "action_required" }
        : { kind: "open", intentId: found.id };
    }
  }
}

/** Runs the calls; what is uncertain leaves the payment open. */
export async function answerOf(
  payment: MetricsPayment,
  ask: () => Promise<ChargeAnswer>,
): Promise<ChargeAnswer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProcessorUncertain)) throw error;
    return { kind: "open", intentId: payment.intentId };
  }
}

/** By what the processor's payment can be found again, and told apart. */
export function metadataOf(
  { id, channel, day }: MetricsPayment,
): Record<string, string> {
  const common = { purpose: "metrics", day, payment_id: id };
  if (channel === "http_payment") return { ...common, challenge_id: id };
  return { ...common, checkout_session_id: id.split(".")[0] ?? id };
}

function chargeKey({ id, tokenHash }: MetricsPayment): string {
  return `metrics:${id}:${tokenHash.slice(0, 32)}`;
}

/**
 * Saves the outcome, and the ledger's entry of a success, in the caller's
 * transaction. An outcome that is recorded already stays: definite answers
 * about one payment agree.
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
  if (current.state !== "charging") return current;
  const next = afterCharge(current, answer, nowMs);
  if (next.state !== current.state) {
    advance(METRICS_PAYMENT_EDGES, current.state, next.state);
  }
  tx.metricsPayments.save(next);
  if (next.state === "succeeded") tx.ledger.save(saleEntry(next, nowMs));
  return next;
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
        succeededAtMs: nowMs,
        leaseUntilMs: nowMs,
      };
    }
    case "refused": {
      const expiresAtMs = nowMs + METRICS_REFUSED_KEPT_MS;
      const { refusal } = answer;
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
        dueAtMs: nowMs,
      };
  }
}

function saleEntry(payment: MetricsPayment, atMs: number): LedgerEntry {
  return {
    id: `metrics:${payment.id}`,
    atMs,
    reason: `metrics:${payment.id}`,
    lines: [
      { account: "processor_clearing", amountCents: METRICS_PRICE_CENTS },
      { account: "metrics_revenue", amountCents: -METRICS_PRICE_CENTS },
    ],
  };
}
