/**
 * Taking the payment for a session: the intention is committed, the processor
 * is asked, the outcome is committed with everything it buys. Between the two
 * commits the session is `complete_in_progress` and its key is in flight, so
 * whoever comes next goes on with this payment or is refused.
 * Decision 0100 says why.
 *
 * @module
 */
import { sha256Hex } from "../sha256.ts";
import { type Binding, IDEMPOTENCY_LONG_MS } from "../idempotency/replay.ts";
import {
  findReplay,
  replayedAnswer,
  reserveKey,
  storeAnswer,
} from "../idempotency/answer_once.ts";
import { StoreOnHold } from "../failure.ts";
import { isActiveHold } from "../hold/hold.ts";
import { invariant } from "../invariant.ts";
import {
  askProcessor,
  beginCharge,
  isTooLateToCharge,
  recordCharge,
} from "../paid_metrics/charge.ts";
import { logFieldsOf } from "../paid_metrics/lease_payment.ts";
import {
  isLeased,
  type MetricsPayment,
} from "../paid_metrics/metrics_payment.ts";
import type { Services, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { refuseCheckout } from "./acp_error.ts";
import { CHECKOUT_ATTEMPTS_MAX } from "./limits.ts";
import { isOnSale } from "../paid_metrics/metrics_report.ts";
import type { CheckoutRefusal } from "./refusal.ts";
import {
  bindingOf,
  checkoutKeeping,
  checkSessionId,
  operationOn,
  ownSession,
  recordRef,
  refusalSaid,
  type Reply,
  type ReplyBody,
  type SessionRequest,
} from "./reply.ts";
import { type CheckoutSession, moved, paymentIdOf } from "./session.ts";
import { settleSession } from "./settle_session.ts";

/** The wish to pay. */
export interface CompleteSession extends SessionRequest {
  /** The shared payment token, `spt_…`. Never stored, logged or answered. */
  token: string;
}

/** One attempt to write an intention. */
interface Beginning {
  services: Services;
  tx: Transaction;
  request: CompleteSession;
  binding: Binding;
  nowMs: number;
}

/** An answer, or a payment that this request alone may ask about now. */
type Begun = Reply | { payment: MetricsPayment };

/**
 * Charges the token once and completes the session: 200 with its order, 200
 * with the session as it was when the token was declined, 409 when the buyer
 * would have to act.
 *
 * @throws {Refused} `payment_uncertain` while nobody knows: only the same
 * request goes on then; `not_allowed` while another one's payment is under way,
 * `session_not_found`, `token_invalid` for a grant that is revoked by now, and
 * the refusals of a key
 * @throws {StoreOnHold} while the store is on hold; nothing is written then
 * @param beginning the store in which the payment begins, where that takes turns:
 * whatever has been paid is written down without one
 */
export async function completeSession(
  services: Services,
  request: CompleteSession,
  beginning: Pick<Services["store"], "transact"> = services.store,
): Promise<Reply> {
  const { store } = services;
  checkSessionId(request.sessionId);
  const operation = operationOn(request.sessionId, "/complete");
  const binding = bindingOf(request, operation);
  const begun = await beginning.transact(async (tx) => {
    const nowMs = services.clock.now();
    const begun = await begin({ services, tx, request, binding, nowMs });
    const isHeld = isActiveHold(await tx.holds.find());
    if ("payment" in begun && isHeld) throw new StoreOnHold();
    return begun;
  });
  if ("answer" in begun) return begun;
  const { payment } = begun;
  const outcome = await askProcessor(services, payment, request.token);
  if (outcome === null) return uncertain(services, payment);
  const reply = await store.transact(async (tx) => {
    const [record] = await tx.getMany([
      recordRef(tx, binding),
      tx.metricsPayments.ref(payment.id),
      tx.checkoutSessions.ref(request.sessionId),
      tx.grants.ref(request.grantId),
    ]);
    const nowMs = services.clock.now();
    const charged = await recordCharge(tx, payment, outcome, nowMs);
    const reply = await settleSession(services, tx, charged, nowMs);
    // The sweep may have been faster, and its answer stands.
    const stored = record?.answer ?? null;
    return reply ?? (stored && replayedAnswer<ReplyBody>(stored));
  });
  if (reply !== null) return { ...reply, replayed: false };
  return uncertain(services, payment);
}

function uncertain(
  { log }: Pick<Services, "log">,
  payment: MetricsPayment,
): never {
  log.info("checkout.payment_uncertain", logFieldsOf(payment));
  return refuseCheckout({ kind: "payment_uncertain" });
}

async function begin(beginning: Beginning): Promise<Begun> {
  const { tx, request, binding, nowMs } = beginning;
  const { grantId, sessionId, requestHash } = request;
  const [record, found, grant] = await tx.getMany([
    recordRef(tx, binding),
    tx.checkoutSessions.ref(sessionId),
    tx.grants.ref(grantId),
    // Looked at once it is known whether anything is to be paid.
    tx.holds.ref(),
  ]);
  // No payment begins once a revocation has been committed.
  if (grant === null || grant.revokedAtMs !== null) {
    refuse({ code: "token_invalid" });
  }
  const isResumed = record?.state === "in_flight" &&
    record.requestHash === requestHash;
  const before = isResumed ? null : await findReplay<ReplyBody>(tx, binding);
  if (before !== null) return before;
  const session = ownSession(found, grantId, nowMs);
  if (isResumed) return await goOn(beginning, session);
  const why = await refusalOf(tx, session);
  if (why !== null) {
    return storeAnswer(tx, checkoutKeeping(binding, nowMs), refusalSaid(why));
  }
  return beginPayment(beginning, session);
}

/** Why no payment may begin; null when one may. */
async function refusalOf(
  tx: Transaction,
  { status, attempts, day }: CheckoutSession,
): Promise<CheckoutRefusal | null> {
  if (status !== "ready_for_payment") {
    return { kind: "not_allowed", action: "complete", status };
  }
  if (attempts >= CHECKOUT_ATTEMPTS_MAX) return { kind: "attempts_exhausted" };
  const spotlight = await tx.spotlights.find(day);
  return isOnSale(spotlight) ? null : { kind: "item_gone", day };
}

/** Writes the intention: session, payment and key in one commit. */
function beginPayment(
  beginning: Beginning,
  waiting: CheckoutSession,
): Begun {
  const { tx, request, binding, nowMs } = beginning;
  const session: CheckoutSession = {
    ...moved(waiting, "complete_in_progress", nowMs),
    attempts: waiting.attempts + 1,
    payingKey: request.key,
    notice: null,
  };
  tx.checkoutSessions.save(session);
  reserveKey(tx, binding, nowMs + IDEMPOTENCY_LONG_MS);
  // Its id is new: the session, which this commit checks, counts them.
  return leasePayment(beginning, session, null);
}

/**
 * Goes on with the payment that this very request began: "a retry resumes the
 * same payment and processor key".
 *
 * @throws {Refused} `idempotency_in_flight` while somebody else asks about it,
 * `payment_uncertain` when it is too late to ask again
 */
async function goOn(
  beginning: Beginning,
  session: CheckoutSession,
): Promise<Begun> {
  const { services, tx, request, nowMs } = beginning;
  const payment = await tx.metricsPayments.find(paymentIdOf(session));
  invariant(payment !== null, "a payment that was begun is kept");
  invariant(
    session.payingKey === request.key,
    "a key in flight has its payment",
  );
  if (payment.state !== "charging") {
    const reply = await settleSession(services, tx, payment, nowMs);
    invariant(reply !== null, "a decided payment decides its session");
    return reply;
  }
  if (isLeased(payment, nowMs)) refuse({ code: "idempotency_in_flight" });
  // Nobody may charge it any more: the sweep finds out whether somebody did.
  if (isTooLateToCharge(payment, nowMs)) {
    return refuseCheckout({ kind: "payment_uncertain" });
  }
  return leasePayment(beginning, session, payment);
}

/** Leases the session's payment to this request, which may charge it now. */
function leasePayment(
  { tx, request: { key, token }, nowMs }: Beginning,
  session: CheckoutSession,
  existing: MetricsPayment | null,
): Begun {
  const payment = beginCharge(existing, {
    id: paymentIdOf(session),
    channel: "checkout",
    day: session.day,
    token,
    keyHash: sha256Hex(key),
  }, nowMs);
  tx.metricsPayments.save(payment);
  return { payment };
}
