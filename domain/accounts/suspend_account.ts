import { PAGES } from "../pages.ts";
import type { Account } from "./account.ts";
import {
  type AccountOrder,
  decideAboutAccount,
  type DecisionServices,
} from "./decide_about_account.ts";

/**
 * Keeps an account from bidding and from the review queue until the suspension
 * is lifted. Bids that stand are void when their day settles. One that is
 * suspended already stays so, with the reason it was first given.
 *
 * @throws {Refused} `account_not_found`; `invalid_input` without a reason
 */
export function suspendAccount(
  services: DecisionServices,
  order: AccountOrder,
): Promise<Account> {
  return decideAboutAccount(
    services,
    order,
    (_, account, { reason, atMs }) =>
      account.suspendedAtMs !== null ? null : {
        account: {
          ...account,
          suspendedAtMs: atMs,
          suspensionReason: reason,
        },
        event: "suspended",
        mail: {
          subject: "Your Spotlight account is suspended",
          said: "An operator has suspended your account.",
          then:
            `It can't bid or submit advertisements for now. Its open bids become void when
their day settles, and you are not charged for them. You can still sign in and
see your invoices and your data.

If you think this is a mistake, write to ${services.settings.seller.email}.`,
          page: PAGES.account,
        },
      },
  );
}

/**
 * Ends the suspension of an account; one that is not suspended stays as it is.
 *
 * @throws {Refused} as {@linkcode suspendAccount}
 */
export function liftSuspension(
  services: DecisionServices,
  order: AccountOrder,
): Promise<Account> {
  return decideAboutAccount(services, order, (_, account) => {
    if (account.suspendedAtMs === null) return null;
    const { suspensionReason: _reason, ...rest } = account;
    return {
      account: { ...rest, suspendedAtMs: null },
      event: "suspension_lifted",
      mail: {
        subject: "Your Spotlight account is no longer suspended",
        said: "An operator has lifted the suspension of your account.",
        then: "It can bid again as soon as nothing else stands in the way.",
        page: PAGES.account,
      },
    };
  });
}
