import { queueCustomer } from "../payments/customer_task.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { Account, Company } from "./account.ts";
import { checkVatIdFree } from "./one_company.ts";

/** Whose company it is, and what it is. */
export interface SaveCompany {
  accountId: string;
  /** As `readCompany()` read it. */
  company: Company;
}

/**
 * Completes onboarding, or changes the company later. Another VAT id has to be
 * verified anew. The processor is told afterwards, by a task of this commit.
 *
 * @throws {Refused} `account_not_found`; `vat_id_taken` when another account
 * holds the verified id
 */
export function saveCompany(
  services: Pick<Services, "store" | "clock">,
  { accountId, company }: SaveCompany,
): Promise<Account> {
  return services.store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    if (account === null) refuse({ code: "account_not_found" });
    const { vatId } = company;
    if (vatId !== null) await checkVatIdFree(tx, { vatId, accountId });
    const saved = withCompany(account, company);
    if (saved === account) return account;
    tx.accounts.save(saved);
    await queueCustomer(tx, accountId, services.clock.now());
    return saved;
  });
}

/**
 * The account with that company, whose VAT id has to be verified anew where it
 * is another; the very same account when nothing changes.
 */
export function withCompany(account: Account, company: Company): Account {
  if (isSameCompany(account.company, company)) return account;
  const isSameVatId = company.vatId === (account.company?.vatId ?? null);
  const vatStatus = isSameVatId ? account.vatStatus : "unverified";
  return { ...account, company, vatStatus };
}

function isSameCompany(a: Company | null, b: Company): boolean {
  return a !== null && a.name === b.name && a.country === b.country &&
    a.vatId === b.vatId && a.address.line1 === b.address.line1 &&
    a.address.city === b.address.city &&
    a.address.postalCode === b.address.postalCode;
}
