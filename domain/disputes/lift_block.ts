import type { Account } from "../accounts/account.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";

/** Disputes that are read at a time, and lifted in one commit. */
const DISPUTES_A_READ = 8;

/**
 * Lets an account bid again though it has taken its money back through its
 * bank, by an operator's decision. What is still open blocks it on.
 *
 * @throws {Refused} `account_not_found`
 */
export async function liftBlock(
  { store }: Pick<Services, "store">,
  { accountId }: { accountId: string },
): Promise<Account> {
  let account = await store.accounts.find(accountId);
  if (account === null) refuse({ code: "account_not_found" });
  const ids = account.blockingDisputes ?? [];
  for (let at = 0; at < ids.length; at += DISPUTES_A_READ) {
    const some = ids.slice(at, at + DISPUTES_A_READ);
    account = await liftSome({ store }, accountId, some);
  }
  return account;
}

/** What is lost when it is committed is lifted, and nothing else. */
function liftSome(
  { store }: Pick<Services, "store">,
  accountId: string,
  ids: readonly string[],
): Promise<Account> {
  return store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    if (account === null) refuse({ code: "account_not_found" });
    const disputes = await tx.getMany(ids.map((id) => tx.disputes.ref(id)));
    const lost = ids.filter((_, nth) => disputes[nth]?.state === "lost");
    const blockingDisputes = (account.blockingDisputes ?? [])
      .filter((id) => !lost.includes(id));
    const disputeOpen = blockingDisputes.length > 0;
    const lifted: Account = { ...account, blockingDisputes, disputeOpen };
    tx.accounts.save(lifted);
    return lifted;
  });
}
