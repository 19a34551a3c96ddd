import { untilDecided } from "../until_decided.ts";
import { requireAccount } from "./require_account.ts";
import { giveUpVatId } from "./claim_vat.ts";
import { listLiveDays } from "../bids/list_live_bids.ts";
import type { Day } from "../day.ts";
import { queueCustomer } from "../payments/customer_task.ts";
import type { Services, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { type Account, type Company, withoutVatMove } from "./account.ts";
import { type NameUse, readNameUse, withCompany } from "./rename.ts";

/** Whose company it is, and what it is. */
export interface SaveCompany {
  accountId: string;
  /** As `readCompany()` read it. */
  company: Company;
}

type SaveServices = Pick<Services, "store" | "clock" | "ids" | "keys">;

/**
 * Completes onboarding, or changes the company later. Another VAT id has to be
 * verified anew; another name may have to wait for an operator. The processor
 * learns of it by a task of this commit.
 *
 * A verified VAT id and its country stay while a bid stands: its bids would be
 * void without them, and a bid can't be withdrawn. Bids are not listed inside a
 * transaction, so the account is marked first. A bid that was placed before is
 * in the list then; one that comes after takes the mark away in its own commit,
 * and the change looks again.
 *
 * @throws {Refused} `account_not_found`; `company_of_live_bid`
 * @throws {Contention} when bids are placed all the time
 */
export async function saveCompany(
  services: SaveServices,
  input: SaveCompany,
): Promise<Account> {
  const use = await readNameUse(services.store, input.accountId);
  const { accountId } = input;
  return await untilDecided("change the company", async () => {
    const mark = services.ids.next("move");
    const begun = await begin(services, input, use, mark);
    if (begun !== null) return begun;
    const days = await listLiveDays(services, { accountId });
    const decided = await decide(services, input, use, { mark, days });
    if (decided === "kept") refuse({ code: "company_of_live_bid", days });
    return decided;
  });
}

/** Saves what no bid depends on; else marks the account and answers null. */
function begin(
  services: SaveServices,
  input: SaveCompany,
  use: NameUse,
  mark: string,
): Promise<Account | null> {
  return services.store.transact(async (tx) => {
    const account = await requireAccount(tx, input.accountId);
    if (!isVatMove(account, input.company)) {
      return await save(services, tx, account, input, use);
    }
    tx.accounts.save({ ...account, vatMove: mark });
    return null;
  });
}

function decide(
  services: SaveServices,
  input: SaveCompany,
  use: NameUse,
  { mark, days }: { mark: string; days: readonly Day[] },
): Promise<Account | "kept" | null> {
  return services.store.transact(async (tx) => {
    const account = await requireAccount(tx, input.accountId);
    if (account.vatMove !== mark) return null;
    const unmarked = withoutVatMove(account);
    if (days.length === 0) {
      return await save(services, tx, unmarked, input, use);
    }
    tx.accounts.save(unmarked);
    return "kept";
  });
}

/** Whether it takes away what makes bids of the account qualify. */
function isVatMove({ company, vatStatus }: Account, wanted: Company): boolean {
  return vatStatus === "valid" && company !== null &&
    (company.vatId !== wanted.vatId || company.country !== wanted.country);
}

async function save(
  { clock, keys }: SaveServices,
  tx: Transaction,
  account: Account,
  { accountId, company }: SaveCompany,
  use: NameUse,
): Promise<Account> {
  const nowMs = clock.now();
  const saved = withCompany(account, company, use, nowMs);
  if (saved === account) return account;
  tx.accounts.save(saved);
  if (saved.company?.vatId !== account.company?.vatId) {
    giveUpVatId(keys, tx, account, nowMs);
  }
  if (saved.company !== account.company) {
    await queueCustomer(tx, accountId, nowMs);
  }
  return saved;
}
