import type { Day } from "../day.ts";
import { answerOnce } from "../idempotency/answer_once.ts";
import type { Ids, Services } from "../ports.ts";
import { sha256Hex } from "../sha256.ts";
import type { Merchant } from "./merchant.ts";
import { isOnSale } from "../paid_metrics/metrics_report.ts";
import {
  bindingOf,
  checkoutKeeping,
  CREATE_OPERATION,
  type KeyedRequest,
  recordRef,
  refusalSaid,
  type Reply,
  sessionSaid,
} from "./reply.ts";
import { newSession } from "./session.ts";

/**
 * Makes a session for one report: 201, or `item_unknown` for a day without a
 * settled Spotlight.
 *
 * @throws {Refused} the refusals of a key
 */
export function createSession(
  services: Services,
  request: KeyedRequest & { day: Day; merchant: Merchant },
): Promise<Reply> {
  const { store, clock, settings } = services;
  const id = newSessionId(services.ids);
  const { grantId, day, merchant } = request;
  const binding = bindingOf(request, CREATE_OPERATION);
  return store.transact(async (tx) => {
    const nowMs = clock.now();
    const [, spotlight] = await tx.getMany([
      recordRef(tx, binding),
      tx.spotlights.ref(day),
    ]);
    return await answerOnce(tx, checkoutKeeping(binding, nowMs), () => {
      if (!isOnSale(spotlight)) {
        return refusalSaid({ kind: "item_unknown", day });
      }
      const session = newSession({ id, grantId, day, merchant }, nowMs);
      tx.checkoutSessions.save(session);
      return { ...sessionSaid(session, settings), status: 201 };
    });
  });
}

/** 128 random bits, in the form of a session's id (contract §6.1). */
function newSessionId(ids: Ids): string {
  const digest = sha256Hex(ids.secret());
  return `cs_${digest.slice(0, 32)}`;
}
