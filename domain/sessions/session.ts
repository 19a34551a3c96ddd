/** How long a session lasts unused: 7 days. */
export const SESSION_IDLE_MS = 7 * 86_400_000;
/** How long a session lasts at most: 30 days. */
export const SESSION_MAX_MS = 30 * 86_400_000;
/** How recent a sign-in must be for what spends or removes: 10 minutes. */
export const FRESH_SIGN_IN_MS = 10 * 60_000;

/** A signed-in browser. Only the hash of the cookie's id is kept. */
export interface Session {
  /** SHA-256 of the session id, hex. */
  hash: string;
  accountId: string;
  /** When the person last proved who they are. */
  authTimeMs: number;
  createdAtMs: number;
  lastUsedAtMs: number;
  /** The earlier of idle and absolute end. */
  expiresAtMs: number;
  userAgent: string;
}
