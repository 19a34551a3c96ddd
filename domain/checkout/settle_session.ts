import { storeAnswer } from "../idempotency/answer_once.ts";
import type { Binding } from "../idempotency/replay.ts";
import { invariant } from "../invariant.ts";
import { beginRefund } from "../paid_metrics/refund_payment.ts";
import type {
  MetricsPayment,
  MetricsPaymentRefusal,
} from "../paid_metrics/metrics_payment.ts";
import type { Services, Transaction } from "../ports.ts";
import {
  checkoutKeeping,
  operationOn,
  refusalSaid,
  type Reply,
  sessionSaid,
} from "./reply.ts";
import {
  type CheckoutNotice,
  type CheckoutSession,
  moved,
  paymentIdOf,
  sessionAt,
  sessionIdOfPayment,
} from "./session.ts";

/** What is left to be said of a payment that took no money. */
const NOTICES: Readonly<Record<MetricsPaymentRefusal, CheckoutNotice>> = {
  declined: "payment_declined",
  not_charged: "payment_declined",
  action_required: "requires_3ds",
};

/**
 * Brings a session to where its decided payment leads, with its order and with
 * the answer to the request that began the payment, in the transaction that
 * records the outcome: whoever finds the outcome, that request, a repeat of it
 * or the sweep, the same is stored.
 *
 * @param payment as it now stands; nothing happens while it is `charging`. One
 * that is not the session's any more is refunded
 * @returns the answer that was stored; null when nothing was to be done
 */
export async function settleSession(
  { settings }: Pick<Services, "settings">,
  tx: Transaction,
  payment: MetricsPayment,
  nowMs: number,
): Promise<Reply | null> {
  if (payment.state === "charging") return null;
  const session = await tx.checkoutSessions.find(
    sessionIdOfPayment(payment.id),
  );
  invariant(session !== null, "a session is kept while a payment is under way");
  if (paymentIdOf(session) !== payment.id) {
    // Meanwhile another payment was adopted into the session, as after a backup
    // was restored: this one buys nothing.
    beginRefund(tx, payment, nowMs);
    return null;
  }
  if (session.status !== "complete_in_progress") return null;
  return await settle(settings, tx, session, payment, nowMs);
}

/**
 * The same for a session whose payment is `payment`, as its caller has made
 * sure in this transaction.
 *
 * @returns the answer that was stored for the request that began it
 */
export async function settle(
  settings: Services["settings"],
  tx: Transaction,
  session: CheckoutSession,
  payment: MetricsPayment,
  nowMs: number,
): Promise<Reply> {
  const settled = payment.state === "refused"
    ? refusedBy(session, payment, nowMs)
    : await paidBy(tx, session, payment, nowMs);
  tx.checkoutSessions.save(settled);
  const said = settled.notice === "requires_3ds"
    ? refusalSaid({ kind: "action_required" })
    : sessionSaid(sessionAt(settled, nowMs), settings);
  const binding = await bindingOfPayment(tx, session);
  return storeAnswer(tx, checkoutKeeping(binding, nowMs), said);
}

function refusedBy(
  session: CheckoutSession,
  { refusal }: MetricsPayment,
  nowMs: number,
): CheckoutSession {
  invariant(refusal !== null, "a refused payment says why");
  const back = moved(session, "ready_for_payment", nowMs);
  return { ...back, payingKey: null, notice: NOTICES[refusal] };
}

/**
 * A grant that was revoked meanwhile can't fetch what was paid for, and nobody
 * else may: then the money goes back.
 */
async function paidBy(
  tx: Transaction,
  session: CheckoutSession,
  payment: MetricsPayment,
  nowMs: number,
): Promise<CheckoutSession> {
  const grant = await tx.grants.find(session.grantId);
  const completed = moved(session, "completed", nowMs);
  const settled = { ...completed, payingKey: null, notice: null };
  const isDeliverable = grant !== null && grant.revokedAtMs === null;
  if (isDeliverable || payment.state !== "succeeded") return settled;
  beginRefund(tx, payment, nowMs);
  return { ...settled, refundBegunAtMs: nowMs };
}

/**
 * The key of the request that began the payment, while it waits for its answer.
 * It may have been forgotten; then nobody can repeat the request. That of a
 * payment which was adopted after a restore was never known here.
 */
async function bindingOfPayment(
  tx: Transaction,
  { id, grantId, payingKey }: CheckoutSession,
): Promise<Binding | null> {
  if (payingKey === null) return null;
  const operation = operationOn(id, "/complete");
  const record = await tx.idempotency.find(grantId, operation, payingKey);
  // An answer that is there already was written since the session was read:
  // then this attempt is not committed.
  return record?.answer === null ? record : null;
}
