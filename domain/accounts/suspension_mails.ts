import type { Mail } from "../mail/outbox_mail.ts";
import type { Settings } from "../ports.ts";
import { PAGES } from "../pages.ts";

/** Where pages are and whom to ask. */
type Sender = Pick<Settings, "baseUrl" | "seller">;

/** Tells an owner that the account is suspended, and why. */
export function suspendedMail(
  to: string,
  reason: string,
  { baseUrl, seller }: Sender,
): Mail {
  return {
    to,
    subject: "Your Spotlight account is suspended",
    text: `Hello,

your account was suspended by an operator:

  ${reason}

It can't bid or submit advertisements for now. A bid of yours that stands is
void when its day settles, and nothing is charged for it. Signing in, your
invoices and your data are not touched.

If you think this is a mistake, or to have it lifted, write to ${seller.email}.

${baseUrl}${PAGES.account}
`,
    html: null,
  };
}

/** Tells an owner that the suspension is over. */
export function suspensionLiftedMail(
  to: string,
  reason: string,
  { baseUrl }: Sender,
): Mail {
  return {
    to,
    subject: "Your Spotlight account is no longer suspended",
    text: `Hello,

an operator has lifted the suspension of your account:

  ${reason}

It can bid again as soon as nothing else stands in the way.

${baseUrl}${PAGES.account}
`,
    html: null,
  };
}
