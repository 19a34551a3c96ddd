import type { Account } from "../accounts/account.ts";
import {
  type AccountOrder,
  decideAboutAccount,
  type DecisionServices,
} from "../accounts/decide_about_account.ts";
import { PAGES } from "../pages.ts";

/**
 * Lets an account bid again though its card was refused, and save that card
 * again, by an operator's decision. Where no card was refused nothing changes.
 *
 * @throws {Refused} `account_not_found`; `invalid_input` without a reason
 */
export function liftRefusal(
  services: DecisionServices,
  order: AccountOrder,
): Promise<Account> {
  return decideAboutAccount(services, order, (_, account) => {
    if (!hasRefusedCard(account)) return null;
    const { refusedFingerprints: _refused, ...rest } = account;
    return {
      account: { ...rest, cardRefused: false },
      event: "refusal_lifted",
      mail: {
        subject: "Your Spotlight account can be charged again",
        said:
          "An operator has lifted what a refused card left on your account.",
        then: "It can bid again as soon as nothing else stands in the way. " +
          "A card that was refused can be saved again.",
        page: PAGES.billing,
      },
    };
  });
}

/** Whether the account has a refused card, or remembers one. */
export function hasRefusedCard(account: Account): boolean {
  return account.cardRefused || (account.refusedFingerprints ?? []).length > 0;
}
