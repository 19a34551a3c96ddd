/** What a key may do: read alone, or act as well. */
export const KEY_SCOPES = ["read", "act"] as const;

/** One of them. */
export type KeyScope = typeof KEY_SCOPES[number];

/** Keys that are good at a time. */
export const KEYS_MAX = 20;
/** Keys that are kept, ended ones among them. */
export const KEYS_KEPT_MAX = 500;
/** How long a key may be good, days. */
export const KEY_DAYS = { min: 1, max: 366 };
/** How long its name may be, code points. */
export const KEY_NAME = { min: 1, max: 60 };

/** A key of the operator API that was made at the desk. */
export interface OperatorKey {
  id: string;
  /** SHA-256 of the key, hex; the key itself was shown once. */
  hash: string;
  name: string;
  scope: KeyScope;
  /** Whose it is: it ends with that account's being an operator's. */
  accountId: string;
  createdAtMs: number;
  /** It is good until then; its row stays for those who look at the list. */
  goodUntilMs: number;
  endedAtMs: number | null;
  /** To the hour. */
  lastUsedAtMs: number | null;
}

/** Whether a key is good by itself. */
export function isGood(
  { endedAtMs, goodUntilMs }: OperatorKey,
  nowMs: number,
): boolean {
  return endedAtMs === null && nowMs < goodUntilMs;
}
