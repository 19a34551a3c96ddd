import { backOffMs } from "../tasks/back_off.ts";
import type { Account, VatCheck } from "./account.ts";
import { waitingRename } from "./rename.ts";

const RETRIES = { firstMs: 5 * 60_000, maxMs: 86_400_000 };

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
  const failures = check.failures + 1;
  return { ...check, failures, dueAtMs: nowMs + backOffMs(failures, RETRIES) };
}

/**
 * The check of which the registry was not asked, since that was done often
 * enough: no failure of its own, and due when it may be asked.
 */
export function postponedCheck(check: VatCheck, untilMs: number): VatCheck {
  const failures = Math.max(1, check.failures);
  return { ...check, failures, dueAtMs: Math.max(check.dueAtMs, untilMs) };
}

/** Whether the registry is to be asked about the account's VAT id. */
export function isToBeAsked(account: Account): boolean {
  const check = vatCheckOf(account);
  if (check === null) return false;
  const isKnown = account.vatStatus === "valid" || check.outcome === "valid";
  return !isKnown || isNameToBeAsked(account);
}

/** Whether another name waits that the registry was not asked about. */
export function isNameToBeAsked(account: Account): boolean {
  const rename = waitingRename(account);
  return account.vatStatus === "valid" && rename !== null &&
    rename.registered === undefined;
}
