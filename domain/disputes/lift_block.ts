import type { Account } from "../accounts/account.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";

/** Disputes that are looked at; more of them are a reason to wait. */
const DISPUTES_MAX = 8;

/**
 * Lets an account bid again though it has taken its money back through its
 * bank, by an operator's decision. What is still open blocks it on.
 *
 * @throws {Refused} `account_not_found`
 */
export function liftBlock(
  { store }: Pick<Services, "store">,
  { accountId }: { accountId: string },
): Promise<Account> {
  return store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    if (account === null) refuse({ code: "account_not_found" });
    const ids = account.blockingDisputes ?? [];
    const looked = ids.slice(0, DISPUTES_MAX);
    const disputes = await tx.getMany(looked.map((id) => tx.disputes.ref(id)));
    const lost = looked.filter((_, nth) => disputes[nth]?.state === "lost");
    const blockingDisputes = ids.filter((id) => !lost.includes(id));
    const disputeOpen = blockingDisputes.length > 0;
    const lifted: Account = { ...account, blockingDisputes, disputeOpen };
    tx.accounts.save(lifted);
    return lifted;
  });
}
