/**
 * Taking over a payment for figures that the processor has and this store has
 * not, since it was restored from a backup that is older. The session that was
 * paid by it is here, waits for its payment, and would be charged once more.
 *
 * @module
 */
import { adoptCharge } from "../paid_metrics/charge.ts";
import { succeededBy } from "../paid_metrics/look.ts";
import type { ProcessorPayment } from "../payments/processor.ts";
import type { Services, Store } from "../ports.ts";
import { CHECKOUT_ATTEMPTS_MAX } from "./limits.ts";
import {
  type CheckoutSession,
  isSessionId,
  moved,
  sessionIdOfPayment,
} from "./session.ts";
import { settle } from "./settle_session.ts";

/** The session and the attempt that a payment's id names. */
interface Named {
  paymentId: string;
  sessionId: string;
  attempt: number;
}

/** Whether the payment, which has no row here, is one of a session's that waits. */
export async function isAdoptablePayment(
  { checkoutSessions }: Pick<Store, "checkoutSessions">,
  payment: ProcessorPayment,
): Promise<boolean> {
  const named = namedBy(payment);
  if (named === null) return false;
  const session = await checkoutSessions.find(named.sessionId);
  return session !== null && isPayable(session);
}

/**
 * Completes the session that was paid by a payment without a row here, with the
 * row and the ledger's entry, in one commit. Anything else is left as it is, so
 * it is harmless to repeat.
 */
export async function adoptPayment(
  { store, clock, settings, log }: Pick<
    Services,
    "store" | "clock" | "settings" | "log"
  >,
  found: ProcessorPayment,
): Promise<void> {
  const named = namedBy(found);
  if (named === null) return;
  const { paymentId: id, sessionId, attempt } = named;
  const isAdopted = await store.transact(async (tx) => {
    const [known, session] = await tx.getMany([
      tx.metricsPayments.ref(id),
      tx.checkoutSessions.ref(sessionId),
    ]);
    if (known !== null || session === null || !isPayable(session)) return false;
    const nowMs = clock.now();
    const purchase = { id, channel: "checkout", day: session.day } as const;
    const answer = succeededBy(settings, found);
    const payment = adoptCharge(tx, purchase, answer, nowMs);
    await settle(settings, tx, paying(session, attempt, nowMs), payment, nowMs);
    return true;
  });
  if (isAdopted) log.info("checkout.payment_adopted", { session: sessionId });
}

/** Null for any payment that took no money or is of no session. */
function namedBy({ status, metadata }: ProcessorPayment): Named | null {
  const { purpose, payment_id: paymentId = "" } = metadata;
  if (purpose !== "metrics" || status !== "succeeded") return null;
  const sessionId = sessionIdOfPayment(paymentId);
  const attempt = Number(paymentId.slice(sessionId.length + 1));
  const isAttempt = Number.isInteger(attempt) && attempt >= 1 &&
    attempt <= CHECKOUT_ATTEMPTS_MAX && paymentId === `${sessionId}.${attempt}`;
  return isSessionId(sessionId) && isAttempt
    ? { paymentId, sessionId, attempt }
    : null;
}

/** The clock alone makes one expire; it was open when it was paid. */
function isPayable({ status }: CheckoutSession): boolean {
  return status === "ready_for_payment" || status === "complete_in_progress";
}

/**
 * The session with that payment under way. An earlier one that the backup shows
 * as under way took no money; the sweep brings its row to an end.
 */
function paying(
  session: CheckoutSession,
  attempt: number,
  nowMs: number,
): CheckoutSession {
  const begun = session.status === "complete_in_progress"
    ? session
    : moved(session, "complete_in_progress", nowMs);
  return { ...begun, attempts: Math.max(session.attempts, attempt) };
}
