import type { MailContent } from "../mail/mail_content.ts";
import { PAGES } from "../pages.ts";

/** Tells the owner of an account that a passkey can open it now. */
export function passkeyAddedMail(
  to: string,
  name: string,
  baseUrl: string,
): MailContent<"passkey_added"> {
  return {
    kind: "passkey_added",
    to,
    subject: "A passkey was added to your Spotlight account",
    parts: [
      "This passkey can now sign in to your Spotlight account:",
      { quote: name },
      "If this was not you, remove it and sign out everywhere.",
      { button: "See your passkeys", url: `${baseUrl}${PAGES.settings}` },
    ],
  };
}

/** Tells the owner of an account that a passkey can't open it any more. */
export function passkeyRemovedMail(
  to: string,
  name: string,
  baseUrl: string,
): MailContent<"passkey_removed"> {
  return {
    kind: "passkey_removed",
    to,
    subject: "A passkey was removed from your Spotlight account",
    parts: [
      "This passkey can no longer sign in to your Spotlight account:",
      { quote: name },
      "You can still sign in with a code sent to this address. If this was " +
      "not you, check your account and sign out everywhere.",
      { button: "See your settings", url: `${baseUrl}${PAGES.settings}` },
    ],
  };
}
