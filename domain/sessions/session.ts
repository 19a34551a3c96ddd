/** How long a session lasts unused: 7 days. */
export const SESSION_IDLE_MS = 7 * 86_400_000;
/** How long a session lasts at most: 30 days. */
export const SESSION_MAX_MS = 30 * 86_400_000;
/** How recent a sign-in must be for what spends or removes: 10 minutes. */
export const FRESH_SIGN_IN_MS = 10 * 60_000;
/** A use is written down at most once a minute. */
export const SESSION_TOUCH_MS = 60_000;

/** How a person proves who they are. */
export type SignInMethod = "code" | "passkey";

/**
 * A signed-in browser. Only the hash of the cookie's id is kept. Decision 0060
 * says why it is a row.
 */
export interface Session {
  /** SHA-256 of the session id, hex. */
  hash: string;
  accountId: string;
  /** That of the account's credentials when it began. */
  generation: number;
  /**
   * Names the browser's stay: unlike the session id it is kept when the same
   * person signs in again, so that what began before that can go on after it.
   */
  bindingId: string;
  /** When the person last proved who they are. */
  authTimeMs: number;
  /** By what; absent in rows of earlier versions, whose way is unknown. */
  method?: SignInMethod;
  createdAtMs: number;
  lastUsedAtMs: number;
  /** The earlier of idle and absolute end. */
  expiresAtMs: number;
  /** What a person would call the browser; absent in rows of earlier versions. */
  browser?: string;
  /** What it called itself, in rows of earlier versions. */
  userAgent?: string;
}

/** When a session ends that is used now. */
export function sessionEndMs(createdAtMs: number, nowMs: number): number {
  return Math.min(nowMs + SESSION_IDLE_MS, createdAtMs + SESSION_MAX_MS);
}

/** Whether the person signed in within the last 10 minutes. */
export function isFresh(
  session: Pick<Session, "authTimeMs">,
  nowMs: number,
): boolean {
  return nowMs - session.authTimeMs <= FRESH_SIGN_IN_MS;
}
