import type { Account } from "./account.ts";
import { waitingRename } from "./rename.ts";
import { isRipe } from "./vat_claim.ts";

/** What is known of the check of an account's VAT id: our evidence. */
export interface VatCheck {
  /** What was asked; an id that has changed since counts as never checked. */
  vatId: string;
  /** The registry's last definite answer; null while it has given none. */
  outcome: "valid" | "invalid" | null;
  /** When that was given, epoch ms. */
  atMs: number | null;
  /** The registry's own number of that answer, where it gave one. */
  consultation: string | null;
  /** Whose id the registry says it is; null or absent where it does not. */
  name?: string | null;
  /** Checks since then that came to nothing. */
  failures: number;
  /** Not tried again by itself before this moment. */
  dueAtMs: number;
}

const FIRST_PAUSE_MS = 5 * 60_000;
const PAUSE_MAX_MS = 86_400_000;

/** Checks that come to nothing before it is left to a person: over a month. */
export const VAT_FAILURES_MAX = 40;

/** The check as it stands for the account's VAT id; null without an id. */
export function vatCheckOf(account: Account): VatCheck | null {
  const vatId = account.company?.vatId ?? null;
  if (vatId === null) return null;
  if (account.vatCheck?.vatId === vatId) return account.vatCheck;
  return {
    vatId,
    outcome: null,
    atMs: null,
    consultation: null,
    failures: 0,
    dueAtMs: 0,
  };
}

/** The check after one more that came to nothing: the next is later. */
export function afterFailure(check: VatCheck, nowMs: number): VatCheck {
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** check.failures, PAUSE_MAX_MS);
  const failures = check.failures + 1;
  return { ...check, failures, dueAtMs: nowMs + pauseMs };
}

/**
 * The check of which the registry was not asked, since that was done often
 * enough: no failure of its own, and due when it may be asked.
 */
export function postponed(check: VatCheck, untilMs: number): VatCheck {
  const failures = Math.max(1, check.failures);
  return { ...check, failures, dueAtMs: Math.max(check.dueAtMs, untilMs) };
}

/** Whether the registry is to be asked about the account's VAT id. */
export function isToBeAsked(account: Account): boolean {
  const check = vatCheckOf(account);
  if (check === null) return false;
  const isKnown = check.outcome === "valid";
  return !isKnown || isNameToBeAsked(account);
}

/** Whether another name waits that the registry was not asked about. */
export function isNameToBeAsked(account: Account): boolean {
  const rename = waitingRename(account);
  return account.vatStatus === "valid" && rename !== null &&
    rename.registered === undefined;
}

/**
 * When something is to be done about the account's VAT id by itself: asking the
 * registry, or settling a claim. Null for never.
 */
export function vatDueAtMs(account: Account): number | null {
  const check = vatCheckOf(account);
  if (check === null) return null;
  if (isRipe(account)) return check.atMs ?? check.dueAtMs;
  const isOpen = account.vatStatus === "unverified"
    ? check.outcome === null
    : isNameToBeAsked(account);
  return isOpen && check.failures < VAT_FAILURES_MAX ? check.dueAtMs : null;
}
