import { type Mail, textMail } from "../mail/outbox_mail.ts";
import { PAGES } from "../pages.ts";
import type { Settings } from "../ports.ts";
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
  const { settings } = services;
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
        mail: suspendedMail(account.email, reason, settings),
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
  const { settings } = services;
  return decideAboutAccount(services, order, (_, account, { reason }) => {
    if (account.suspendedAtMs === null) return null;
    const { suspensionReason: _reason, ...rest } = account;
    return {
      account: { ...rest, suspendedAtMs: null },
      event: "suspension_lifted",
      mail: suspensionLiftedMail(account.email, reason, settings),
    };
  });
}

/** Where pages are and whom to ask. */
type Sender = Pick<Settings, "baseUrl" | "seller">;

/** Tells an owner that the account is suspended, and why. */
function suspendedMail(
  to: string,
  reason: string,
  { baseUrl, seller }: Sender,
): Mail {
  return textMail(
    to,
    "Your Spotlight account is suspended",
    `Hello,

your account was suspended by an operator:

  ${reason}

It can't bid or submit advertisements for now. A bid of yours that stands is
void when its day settles, and nothing is charged for it. Signing in, your
invoices and your data are not touched.

If you think this is a mistake, or to have it lifted, write to ${seller.email}.

${baseUrl}${PAGES.account}
`,
  );
}

/** Tells an owner that the suspension is over. */
function suspensionLiftedMail(
  to: string,
  reason: string,
  { baseUrl }: Sender,
): Mail {
  return textMail(
    to,
    "Your Spotlight account is no longer suspended",
    `Hello,

an operator has lifted the suspension of your account:

  ${reason}

It can bid again as soon as nothing else stands in the way.

${baseUrl}${PAGES.account}
`,
  );
}
