import { DAY_MS } from "../day.ts";
import type { IdentitySession } from "../payments/processor_identity.ts";

/** A hosted check that was begun. */
export interface IdentityTry {
  startedAtMs: number;
  /** The processor's id; null while its answer is not known. */
  sessionId: string | null;
}

/** The hosted checks of a person behind an account, and the last one's state. */
export interface IdentityCheck {
  accountId: string;
  /** All that were ever begun: part of the idempotency keys. */
  count: number;
  /** The last one and all others of the last day, oldest first. */
  tries: readonly IdentityTry[];
  /** How the last one stood when it was synced; null before that. */
  status: IdentitySession["status"] | null;
  /** Why it failed, in the processor's words. */
  lastErrorCode: string | null;
  /** When an identity was first verified, and by which check: our evidence. */
  verified: { sessionId: string; atMs: number } | null;
  /** When the last one is synced by itself; null for never. */
  lookDueAtMs: number | null;
}

/** Checks an account may begin in a day. */
export const IDENTITY_TRIES_A_DAY = 5;
/** Checks after which an account begins one a month. */
export const IDENTITY_TRIES_FREE = 15;
const MONTH_MS = 30 * DAY_MS;

const FIRST_SYNC_MS = 15 * 60_000;
const SYNC_AGAIN_MS = 3_600_000;
/** A page lives for two days; a day later nothing is to come of it. */
const SYNCED_FOR_MS = 3 * DAY_MS;

/** The checks of an account that began none. */
export function newIdentityCheck(accountId: string): IdentityCheck {
  return {
    accountId,
    count: 0,
    tries: [],
    status: null,
    lastErrorCode: null,
    verified: null,
    lookDueAtMs: null,
  };
}

/** When another check may be begun; a moment that is past for at once. */
export function nextTryAtMs(check: IdentityCheck, nowMs: number): number {
  if (check.count >= IDENTITY_TRIES_FREE) {
    return (check.tries.at(-1)?.startedAtMs ?? nowMs) + MONTH_MS;
  }
  const [oldest, ...others] = recentTries(check, nowMs);
  return oldest !== undefined && others.length + 1 >= IDENTITY_TRIES_A_DAY
    ? oldest.startedAtMs + DAY_MS
    : nowMs;
}

/** The checks that were begun within the last day. */
function recentTries(
  { tries }: IdentityCheck,
  nowMs: number,
): IdentityTry[] {
  return tries.filter(({ startedAtMs }) => nowMs - startedAtMs < DAY_MS);
}

/** The check with one more begun, to be synced by itself soon. */
export function withTry(check: IdentityCheck, nowMs: number): IdentityCheck {
  const begun = { startedAtMs: nowMs, sessionId: null };
  return {
    ...check,
    count: check.count + 1,
    tries: [...recentTries(check, nowMs), begun],
    status: null,
    lastErrorCode: null,
    lookDueAtMs: nowMs + FIRST_SYNC_MS,
  };
}

/** When the last check is synced next; null once nothing is to come. */
export function nextSyncMs(check: IdentityCheck, nowMs: number): number | null {
  const last = check.tries.at(-1);
  const isDecided = check.verified !== null || check.status === "canceled";
  if (last === undefined || isDecided) return null;
  if (nowMs - last.startedAtMs >= SYNCED_FOR_MS) return null;
  return nowMs + SYNC_AGAIN_MS;
}
