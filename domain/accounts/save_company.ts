import { queueCustomer } from "../payments/customer_task.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { Account, Company } from "./account.ts";
import { readNameUse, withCompany } from "./rename.ts";

/** Whose company it is, and what it is. */
export interface SaveCompany {
  accountId: string;
  /** As `readCompany()` read it. */
  company: Company;
}

/**
 * Completes onboarding, or changes the company later. Another VAT id has to be
 * verified anew; another name may have to wait for an operator. The processor is told afterwards, by a task of this commit.
 *
 * @throws {Refused} `account_not_found`
 */
export async function saveCompany(
  { store, clock }: Pick<Services, "store" | "clock">,
  { accountId, company }: SaveCompany,
): Promise<Account> {
  const use = await readNameUse(store, accountId);
  return await store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    if (account === null) refuse({ code: "account_not_found" });
    const nowMs = clock.now();
    const saved = withCompany(account, company, use, nowMs);
    if (saved === account) return account;
    tx.accounts.save(saved);
    if (saved.company !== account.company) {
      await queueCustomer(tx, accountId, nowMs);
    }
    return saved;
  });
}
