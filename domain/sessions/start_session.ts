import { sha256Hex } from "../sha256.ts";
import type { Transaction } from "../ports.ts";
import type { Credentials } from "./credentials.ts";
import { browserName } from "./browser_name.ts";
import { type Session, sessionEndMs, type SignInMethod } from "./session.ts";

/** What a browser brings to a sign-in, whichever way it is done. */
export interface SignInBrowser {
  /** The id of the session it still has; null when it has none. */
  previousSessionId: string | null;
  userAgent: string;
}

/** Who signs in, on which ids; both come from outside the transaction. */
export interface StartSession extends SignInBrowser {
  /** 256 bits from `ids.secret()`: every sign-in has a new one. */
  sessionId: string;
  /** From `ids.next("stay")`, used unless an earlier stay goes on. */
  bindingId: string;
  credentials: Credentials;
  method: SignInMethod;
}

/**
 * Begins a session in the commit of a sign-in, and ends the one this browser
 * had. The credentials have to be read in the same transaction: a sign-out
 * everywhere meanwhile makes the commit try again.
 */
export async function startSession(
  tx: Transaction,
  input: StartSession,
  nowMs: number,
): Promise<Session> {
  const { credentials, previousSessionId } = input;
  const { accountId, generation } = credentials;
  const previous = previousSessionId === null
    ? null
    : await tx.sessions.find(sha256Hex(previousSessionId));
  const goesOn = previous !== null && previous.accountId === accountId &&
    previous.generation === generation;
  const session: Session = {
    hash: sha256Hex(input.sessionId),
    accountId,
    generation,
    bindingId: goesOn ? previous.bindingId : input.bindingId,
    authTimeMs: nowMs,
    method: input.method,
    createdAtMs: nowMs,
    lastUsedAtMs: nowMs,
    expiresAtMs: sessionEndMs(nowMs, nowMs),
    browser: browserName(input.userAgent),
  };
  if (previous !== null) tx.sessions.remove(previous);
  tx.sessions.save(session);
  return session;
}
