import type { Account } from "../accounts/account.ts";
import {
  type AccountOrder,
  decideAboutAccount,
  type DecisionServices,
} from "../accounts/decide_about_account.ts";
import { markLostDisputes, withoutLost } from "./mark_lost.ts";

/**
 * Lets an account bid again though it has taken its money back through its
 * bank, by an operator's decision. Only lost disputes are lifted: what is still
 * open blocks it on. Where none was lost nothing changes.
 *
 * @throws {Refused} `account_not_found`; `invalid_input` without a reason
 */
export async function liftBlock(
  services: DecisionServices,
  order: AccountOrder,
): Promise<Account> {
  await markLostDisputes(services, order.accountId);
  return await decideAboutAccount(services, order, (_, account) => {
    const { lostDisputes: lost = [] } = account;
    if (lost.length === 0) return null;
    const blockingDisputes = (account.blockingDisputes ?? [])
      .filter((id) => !lost.includes(id));
    const disputeOpen = blockingDisputes.length > 0;
    return {
      account: { ...withoutLost(account, lost), blockingDisputes, disputeOpen },
      event: "block_lifted",
    };
  });
}
