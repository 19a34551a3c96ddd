import { answerOnce } from "../idempotency/answer_once.ts";
import type { Services, Transaction } from "../ports.ts";
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
import type { CheckoutSession } from "./session.ts";

/** What becomes of a session that waits for its payment. */
export type Change = (
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
export async function changeSession(
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
