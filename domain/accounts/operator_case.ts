import { invariant } from "../invariant.ts";
import type { CasePlace } from "./case_place.ts";
import type { Account } from "./account.ts";
import { waitingRename } from "./rename.ts";
import { vatCaseOf, vatDoubtOf } from "./vat_claim.ts";

/**
 * What waits for an operator about an account; null for nothing. Applications to
 * be a partner have a list of their own: asking is free, and so many of them
 * would hide what else waits.
 */
export function operatorCaseOf(account: Account): { sinceMs: number } | null {
  const waiting = [
    account.disputeLostAtMs,
    // What a suspended account wants to be called waits with it.
    account.suspendedAtMs === null
      ? waitingRename(account)?.askedAtMs
      : undefined,
    vatCaseOf(account)?.sinceMs,
    vatDoubtOf(account)?.sinceMs,
  ].filter((sinceMs) => sinceMs !== undefined);
  return waiting.length === 0 ? null : { sinceMs: Math.min(...waiting) };
}

/** The place of an account about which something waits. */
export function casePlace(account: Account): CasePlace {
  const waiting = operatorCaseOf(account);
  invariant(waiting !== null, "something waits about what is in the list");
  return { ...waiting, accountId: account.id };
}
