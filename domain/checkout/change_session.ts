import type { Day } from "../day.ts";
import { answerOnce } from "../idempotency/answer_once.ts";
import { isOnSale } from "../paid_metrics/metrics_report.ts";
import type { Services, Transaction } from "../ports.ts";
import { CHECKOUT_KEPT_MS } from "./limits.ts";
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
  type SessionRequest,
  sessionSaid,
} from "./reply.ts";
import { type CheckoutSession, moved } from "./session.ts";

/** What becomes of a session that waits for its payment. */
type Change = (
  tx: Transaction,
  session: CheckoutSession,
  nowMs: number,
) => Promise<CheckoutSession | CheckoutRefusal> | CheckoutSession;

const OPERATIONS = { update: "", cancel: "/cancel" } as const;

/**
 * Changes a session that waits for its payment, once a key, in one commit with
 * the answer that a repeat gets.
 *
 * @throws {Refused} `session_not_found`, `not_allowed` while a payment is under
 * way, and the refusals of a key
 */
async function changeSession(
  services: Services,
  request: SessionRequest,
  action: keyof typeof OPERATIONS,
  change: Change,
): Promise<Reply> {
  const { store, clock, settings } = services;
  const { sessionId } = request;
  checkSessionId(sessionId);
  const operation = operationOn(sessionId, OPERATIONS[action]);
  const binding = bindingOf(request, operation);
  return await store.transact(async (tx) => {
    const nowMs = clock.now();
    const [, found] = await tx.getMany([
      recordRef(tx, binding),
      tx.checkoutSessions.ref(sessionId),
    ]);
    return await answerOnce(tx, checkoutKeeping(binding, nowMs), async () => {
      const session = ownSession(found, request.grantId, nowMs);
      const { status } = session;
      const changed = status === "ready_for_payment"
        ? await change(tx, session, nowMs)
        : { kind: "not_allowed", action, status } as const;
      if ("kind" in changed) return refusalSaid(changed);
      tx.checkoutSessions.save(changed);
      return sessionSaid(changed, settings);
    });
  });
}

/**
 * Replaces the line item, "before payment starts": also after a payment that
 * took no money, since none has started then. A day without a report is
 * `item_unknown`.
 *
 * @throws as {@linkcode changeSession} does
 */
export function updateSession(
  services: Services,
  request: SessionRequest & { day: Day },
): Promise<Reply> {
  const { day } = request;
  return changeSession(
    services,
    request,
    "update",
    async (tx, session, now) =>
      isOnSale(await tx.spotlights.find(day))
        ? {
          ...session,
          day,
          notice: null,
          updatedAtMs: now,
          expiresAtMs: now + CHECKOUT_KEPT_MS,
        }
        : { kind: "item_unknown", day },
  );
}

/**
 * Cancels a session that waits for its payment, and none that is being paid
 * (contract §6.5).
 *
 * @throws as {@linkcode changeSession} does
 */
export function cancelSession(
  services: Services,
  request: SessionRequest,
): Promise<Reply> {
  return changeSession(
    services,
    request,
    "cancel",
    (_tx, session, nowMs) =>
      moved({ ...session, notice: null }, "canceled", nowMs),
  );
}
