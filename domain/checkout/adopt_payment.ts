/**
 * Adopting a payment for figures that the processor has and this store has not,
 * since it was restored from an older backup. The session that was paid by it is
 * here. It waits for its payment and would be charged once more, or was paid once
 * more while the processor was still at the first payment.
 *
 * @module
 */
import { type Day, parseDay } from "../day.ts";
import { adoptCharge } from "../paid_metrics/charge.ts";
import { succeededAnswer } from "../paid_metrics/look_up_charge.ts";
import { beginRefund } from "../paid_metrics/refund_payment.ts";
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
  /** Whose figures were paid for. */
  day: Day;
}

/** Whether the payment, which has no row here, is one of a session's. */
export async function isAdoptablePayment(
  { checkoutSessions }: Pick<Store, "checkoutSessions">,
  payment: ProcessorPayment,
): Promise<boolean> {
  const named = namedBy(payment);
  return named !== null &&
    await checkoutSessions.find(named.sessionId) !== null;
}

/**
 * Adopts a payment without a row here into the session that it names, with the
 * row and the ledger's entry, in one commit. A session that waits for its
 * payment is completed by it. One that was paid again since, or cancelled, has
 * nothing left to buy with it: the money goes back. Anything else is left as it
 * is, so it is harmless to repeat.
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
  const { paymentId: id, sessionId, day } = named;
  const isAdopted = await store.transact(async (tx) => {
    const [known, session] = await tx.getMany([
      tx.metricsPayments.ref(id),
      tx.checkoutSessions.ref(sessionId),
    ]);
    if (known !== null || session === null) return false;
    const nowMs = clock.now();
    const purchase = { id, channel: "checkout", day } as const;
    const answer = succeededAnswer(settings, found);
    const payment = adoptCharge(tx, purchase, answer, nowMs);
    if (isPayable(session)) {
      const payable = paying(session, named, nowMs);
      await settle(settings, tx, payable, payment, nowMs);
    } else beginRefund(tx, payment, nowMs);
    return true;
  });
  if (isAdopted) log.info("checkout.payment_adopted", { session: sessionId });
}

/** Null for any payment that took no money or is of no session. */
function namedBy({ status, metadata }: ProcessorPayment): Named | null {
  const { purpose, payment_id: paymentId = "" } = metadata;
  const day = parseDay(metadata["day"] ?? "");
  if (purpose !== "metrics" || status !== "succeeded" || day === null) {
    return null;
  }
  const sessionId = sessionIdOfPayment(paymentId);
  const attempt = Number(paymentId.slice(sessionId.length + 1));
  const isAttempt = Number.isInteger(attempt) && attempt >= 1 &&
    attempt <= CHECKOUT_ATTEMPTS_MAX && paymentId === `${sessionId}.${attempt}`;
  return isSessionId(sessionId) && isAttempt
    ? { paymentId, sessionId, attempt, day }
    : null;
}

/** The clock alone makes one expire; it was open when it was paid. */
function isPayable({ status }: CheckoutSession): boolean {
  return status === "ready_for_payment" || status === "complete_in_progress";
}

/**
 * The session with that payment under way, for the day that was paid for. Should
 * one that is under way here take money as well, that goes back.
 */
function paying(
  session: CheckoutSession,
  { attempt, day }: Named,
  nowMs: number,
): CheckoutSession {
  const begun = session.status === "complete_in_progress"
    ? session
    : moved(session, "complete_in_progress", nowMs);
  return { ...begun, day, attempts: attempt };
}
