import type { Account } from "./account.ts";
import { waitingRename } from "./rename.ts";
import { vatCaseOf } from "./vat_claim.ts";

/** What waits for an operator about an account; null for nothing. */
export function operatorCaseOf(account: Account): { sinceMs: number } | null {
  const waiting = [
    account.disputeLostAtMs,
    // What a suspended account wants to be called waits with it.
    account.suspendedAtMs === null
      ? waitingRename(account)?.askedAtMs
      : undefined,
    vatCaseOf(account)?.sinceMs,
    account.partnership?.state === "applied"
      ? account.partnership.sinceMs
      : undefined,
  ].filter((sinceMs) => sinceMs !== undefined);
  return waiting.length === 0 ? null : { sinceMs: Math.min(...waiting) };
}
