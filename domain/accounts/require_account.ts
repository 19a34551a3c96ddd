import { refuse } from "../refusal.ts";
import type { ReadTable } from "../tables.ts";
import type { Account } from "./account.ts";

/**
 * The account, read from the store or as a check of a commit.
 *
 * @throws {Refused} `account_not_found`
 */
export async function requireAccount(
  { accounts }: { accounts: ReadTable<Account, [accountId: string]> },
  accountId: string,
): Promise<Account> {
  return await accounts.find(accountId) ??
    refuse({ code: "account_not_found" });
}
