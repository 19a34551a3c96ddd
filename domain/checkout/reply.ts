/**
 * Keys and answers of the checkout: an answer is stored with what it tells of,
 * in one commit, and a repeat gets it again.
 *
 * @module
 */
import {
  type Answered,
  done,
  type Keeping,
  type Said,
} from "../idempotency/answer_once.ts";
import type { IdempotencyRecord } from "../idempotency/record.ts";
import { type Binding, IDEMPOTENCY_LONG_MS } from "../idempotency/replay.ts";
import type { Settings, Tables } from "../ports.ts";
import type { Ref } from "../tables.ts";
import { acpErrorOf, refuseCheckout } from "./acp_error.ts";
import type { CheckoutRefusal } from "./refusal.ts";
import { type CheckoutSession, isSessionId, sessionAt } from "./session.ts";
import { CHECKOUT_PATH, sessionBody } from "./session_body.ts";

/** A POST, as far as its key is concerned. */
export interface KeyedRequest {
  grantId: string;
  key: string;
  /** SHA-256 of the body's canonical JSON, hex. */
  requestHash: string;
}

/** A POST on a session. */
export interface SessionRequest extends KeyedRequest {
  /** As it stands in the path, of any form. */
  sessionId: string;
}

/** A session, or why not. */
export type ReplyBody = Record<string, unknown>;

/** What a POST is answered. */
export type Reply = Answered<ReplyBody>;

/** The operation that makes sessions. */
export const CREATE_OPERATION = `POST ${CHECKOUT_PATH}`;

/** An operation on a session; keys of each are keys of their own. */
export function operationOn(
  sessionId: string,
  operation: "" | "/complete" | "/cancel",
): string {
  return `${CREATE_OPERATION}/${sessionId}${operation}`;
}

/** What a key is bound to: the grant and the path. */
export function bindingOf(
  { grantId, key, requestHash }: KeyedRequest,
  operation: string,
): Binding {
  return { owner: grantId, operation, key, requestHash };
}

/** The row of a key. */
export function recordRef(
  { idempotency }: Pick<Tables, "idempotency">,
  { owner, operation, key }: Binding,
): Ref<IdempotencyRecord> {
  return idempotency.ref(owner, operation, key);
}

/**
 * The session of a grant as it stands now. One that is unknown, another's or
 * of an impossible id is the same: not found.
 *
 * @throws {Refused} `session_not_found`
 */
export function ownSession(
  session: CheckoutSession | null,
  grantId: string,
  nowMs: number,
): CheckoutSession {
  if (session?.grantId !== grantId) return notFound();
  return sessionAt(session, nowMs);
}

/** Ends a request on what can't be a session before the store is asked. */
export function checkSessionId(sessionId: string): void {
  if (!isSessionId(sessionId)) notFound();
}

function notFound(): never {
  return refuseCheckout({ kind: "session_not_found" });
}

/** Says how a session stands. */
export function sessionSaid(
  session: CheckoutSession,
  { baseUrl, auctionHours }: Pick<Settings, "baseUrl" | "auctionHours">,
): Said<ReplyBody> {
  return done(sessionBody(session, { baseUrl, auctionHours }));
}

/**
 * Says no, and says it again to every repeat: the protocol stores such answers
 * too. A no that may be another one soon is only said.
 *
 * @throws {Refused} `checkout_refused` for a no that is not stored
 */
export function refusalSaid(why: CheckoutRefusal): Said<ReplyBody> {
  const { status, body, retryAfterS } = acpErrorOf(why);
  if (retryAfterS !== undefined) refuseCheckout(why);
  return { status, value: { ...body } };
}

/** How long keys of the checkout are kept. */
export function checkoutKeeping(
  binding: Binding | null,
  nowMs: number,
): Keeping {
  return { binding, nowMs, keptMs: IDEMPOTENCY_LONG_MS };
}
