import type { Mail } from "../mail/outbox_mail.ts";
import { PAGES } from "../pages.ts";

/** Tells the owner of an account that a passkey can open it now. */
export function passkeyAddedMail(
  to: string,
  name: string,
  baseUrl: string,
): Mail {
  return {
    to,
    subject: "A passkey was added to your Spotlight account",
    text: `A passkey named "${name}" can now sign in to your Spotlight account.

If this was not you, remove it and sign out everywhere:

${baseUrl}${PAGES.account}
`,
  };
}

/** Tells the owner of an account that a passkey can't open it any more. */
export function passkeyRemovedMail(
  to: string,
  name: string,
  baseUrl: string,
): Mail {
  return {
    to,
    subject: "A passkey was removed from your Spotlight account",
    text: `The passkey named "${name}" can no longer sign in to your Spotlight
account. You can still sign in with a code sent to this address.

If this was not you, check your account and sign out everywhere:

${baseUrl}${PAGES.account}
`,
  };
}
