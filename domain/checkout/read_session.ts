import type { Services } from "../ports.ts";
import { checkSessionId, ownSession } from "./reply.ts";
import { type CheckoutSession, paymentIdOf } from "./session.ts";
import { sessionBody } from "./session_body.ts";

/** Whose session. */
export interface ReadSession {
  grantId: string;
  /** As it stands in the path, of any form. */
  sessionId: string;
}

/**
 * A session of one's own as it stands now.
 *
 * @throws {Refused} `session_not_found`
 */
export async function findSession(
  { store, clock }: Pick<Services, "store" | "clock">,
  { grantId, sessionId }: ReadSession,
): Promise<CheckoutSession> {
  checkSessionId(sessionId);
  const found = await store.checkoutSessions.find(sessionId);
  return ownSession(found, grantId, clock.now());
}

/**
 * A session as its owner is shown it.
 *
 * @throws {Refused} `session_not_found`
 */
export async function readSession(
  services: Pick<Services, "store" | "clock" | "settings">,
  asked: ReadSession,
): Promise<Record<string, unknown>> {
  const session = await findSession(services, asked);
  const { baseUrl, auctionHours } = services.settings;
  if (session.refundBegunAtMs === null) {
    return sessionBody(session, { baseUrl, auctionHours });
  }
  const { metricsPayments } = services.store;
  const payment = await metricsPayments.find(paymentIdOf(session));
  const refunded = payment?.state === "refunded";
  return sessionBody(session, { baseUrl, auctionHours, refunded });
}
