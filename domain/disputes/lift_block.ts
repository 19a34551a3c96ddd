import type { Account } from "../accounts/account.ts";
import {
  type AccountOrder,
  decideAboutAccount,
  type DecisionServices,
} from "../accounts/decide_about_account.ts";
import { refuse } from "../refusal.ts";
import { markLostDisputes, withoutLost } from "./mark_lost.ts";

/**
 * Lets an account bid again though it has taken its money back through its
 * bank, by an operator's decision. Only lost disputes are lifted: what is still
 * open blocks it on. Where none was lost nothing changes.
 *
 * @throws {Refused} `account_not_found`; `invalid_input` without a reason;
 * `decision_outdated` where others were lost than the operator saw
 */
export async function liftBlock(
  services: DecisionServices,
  order: AccountOrder,
): Promise<Account> {
  await markLostDisputes(services, order.accountId);
  return await decideAboutAccount(services, order, (_, account) => {
    const { lostDisputes: lost = [] } = account;
    if (lost.length === 0) return null;
    const isSeen = order.about === null || order.about === namesOfLost(account);
    if (!isSeen) refuse({ code: "decision_outdated" });
    const blockingDisputes = (account.blockingDisputes ?? [])
      .filter((id) => !lost.includes(id));
    const disputeOpen = blockingDisputes.length > 0;
    return {
      account: { ...withoutLost(account, lost), blockingDisputes, disputeOpen },
      event: "block_lifted",
    };
  });
}

/** Lost disputes that are named. */
const NAMED_MAX = 20;

/** The disputes that were lost, by which an operator says what they saw. */
export function namesOfLost({ lostDisputes = [] }: Account): string {
  const named = lostDisputes.slice(-NAMED_MAX).join(", ");
  const more = lostDisputes.length - NAMED_MAX;
  return more > 0 ? `${named} and ${more} before` : named;
}
