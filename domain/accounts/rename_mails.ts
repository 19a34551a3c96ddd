import type { Mail } from "../mail/outbox_mail.ts";
import type { Settings } from "../ports.ts";
import { PAGES } from "../pages.ts";

/** Where pages are and whom to ask. */
type Sender = Pick<Settings, "baseUrl" | "seller">;

/** Tells an owner that the company has the name that was asked for. */
export function renameApprovedMail(
  to: string,
  name: string,
  reason: string,
  { baseUrl }: Sender,
): Mail {
  return {
    to,
    subject: "Your company's new name is shown",
    text: `Hello,

your company has the name you asked for:

  ${name}

${reason}

Your approved advertisements and your next invoices show it. Days that were won
before keep the name they were won under.

${baseUrl}${PAGES.onboarding}
`,
    html: null,
  };
}

/** Tells an owner that the company keeps its name, and why. */
export function renameRefusedMail(
  to: string,
  name: string,
  reason: string,
  { baseUrl, seller }: Sender,
): Mail {
  return {
    to,
    subject: "Your company keeps its name for now",
    text: `Hello,

an operator did not approve this name for your company:

  ${name}

${reason}

Nothing else has changed. You can ask for another name at the address below;
questions: ${seller.email}.

${baseUrl}${PAGES.onboarding}
`,
    html: null,
  };
}
