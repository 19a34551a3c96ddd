import type { Mail } from "../mail/outbox_mail.ts";
import type { Settings } from "../ports.ts";
import { PAGES } from "../pages.ts";

/** Where pages are and whom to ask. */
type Sender = Pick<Settings, "baseUrl" | "seller">;

/** Tells an owner that the VAT id is the account's. */
export function vatApprovedMail(
  to: string,
  vatId: string,
  reason: string,
  { baseUrl }: Sender,
): Mail {
  return {
    to,
    subject: "Your VAT id is verified",
    text: `Hello,

an operator has compared your VAT id with your company:

  ${vatId}

${reason}

It is verified, and your account can bid as soon as nothing else stands in the
way.

${baseUrl}${PAGES.onboarding}
`,
    html: null,
  };
}

/** Tells an owner that the VAT id is not, or no longer, the account's. */
export function vatRefusedMail(
  to: string,
  vatId: string,
  reason: string,
  { baseUrl, seller }: Sender,
): Mail {
  return {
    to,
    subject: "Your VAT id could not be verified",
    text: `Hello,

an operator has compared your VAT id with your company, and could not confirm
that they belong together:

  ${vatId}

${reason}

Your account can't bid with it. Correct the company's name or the VAT id at the
address below, or write to ${seller.email} with an extract from the company
register.

${baseUrl}${PAGES.onboarding}
`,
    html: null,
  };
}
