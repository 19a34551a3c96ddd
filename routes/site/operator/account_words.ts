import type { Account } from "../../../domain/accounts/account.ts";
import { waitingRename } from "../../../domain/accounts/rename.ts";
import { hasLostDispute } from "../../../domain/accounts/eligibility.ts";

/** What waits for an operator about an account, in sentences. */
export function waitingWords(account: Account): string[] {
  const rename = waitingRename(account);
  return [
    ...rename === null ? [] : [
      `It asks to be called “${rename.name}” instead of “${nameOf(account)}”`,
    ],
    ...hasLostDispute(account)
      ? ["A dispute was lost: it can’t bid until you lift the block"]
      : [],
  ];
}

function nameOf({ company }: Account): string {
  return company?.name ?? "";
}
