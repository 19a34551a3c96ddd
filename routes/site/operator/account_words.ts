import type { Account } from "../../../domain/accounts/account.ts";
import { hasLostDispute } from "../../../domain/accounts/eligibility.ts";

/** What waits for an operator about an account, in sentences. */
export function waitingWords(account: Account): string[] {
  return [
    ...hasLostDispute(account)
      ? ["A dispute was lost: it can’t bid until you lift the block"]
      : [],
  ];
}
