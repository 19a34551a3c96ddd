import type { Account } from "./account.ts";
import {
  type AccountOrder,
  decideAboutAccount,
  type DecisionServices,
} from "./decide_about_account.ts";

/**
 * Keeps an account from bidding and from the review queue until the suspension
 * is lifted. A bid whose day settles meanwhile is void. One that is suspended
 * already stays so, with the reason it was first given.
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
    };
  });
}
