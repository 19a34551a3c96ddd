import { type Mail, textMail } from "../mail/outbox_mail.ts";

/** Tells the owner of an account that a passkey can open it now. */
export function passkeyAddedMail(
  to: string,
  name: string,
  baseUrl: string,
): Mail {
  return textMail(
    to,
    "A passkey was added to your Spotlight account",
    `A passkey named "${name}" can now sign in to your Spotlight account.

If this was not you, remove it and sign out everywhere:

${baseUrl}/account
`,
  );
}

/** Tells the owner of an account that a passkey can't open it any more. */
export function passkeyRemovedMail(
  to: string,
  name: string,
  baseUrl: string,
): Mail {
  return textMail(
    to,
    "A passkey was removed from your Spotlight account",
    `The passkey named "${name}" can no longer sign in to your Spotlight
account. You can still sign in with a code sent to this address.

If this was not you, look at your account and sign out everywhere:

${baseUrl}/account
`,
  );
}
