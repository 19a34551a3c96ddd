import type { MailContent } from "../mail/mail_content.ts";
import { PAGES } from "../pages.ts";
import type { Settings } from "../ports.ts";

/** The code that the owner of one of the two addresses is mailed. */
export function emailChangeMail(
  { baseUrl, seller }: Pick<Settings, "baseUrl" | "seller">,
  { to, code, isNew }: { to: string; code: string; isNew: boolean },
): MailContent<"email_change"> {
  return {
    kind: "email_change",
    to,
    subject: isNew
      ? "Confirm your new address for Spotlight"
      : "Confirm the change of your Spotlight address",
    parts: [
      isNew
        ? "Somebody wants to sign in to a Spotlight account with this address. " +
          "If it is you, type this code where you asked for it:"
        : "Somebody who is signed in wants your Spotlight account to have " +
          "another e-mail address. If it is you, type this code where you " +
          "asked for it:",
      { code: `${code.slice(0, 4)} ${code.slice(4)}` },
      isNew
        ? "The code works once, for 10 minutes. If it was not you, ignore this " +
          "mail: nothing happens without the code."
        : "The code works once, for 10 minutes. If it was not you, tell nobody " +
          "the code and sign out everywhere, or write to " +
          `${seller.email}.`,
      ...isNew
        ? []
        : [{ link: "Your settings", url: `${baseUrl}${PAGES.settings}` }],
    ],
  };
}

/** What both addresses are told once it is done. */
export function emailChangedMail(
  { baseUrl, seller }: Pick<Settings, "baseUrl" | "seller">,
  { to, isNew }: { to: string; isNew: boolean },
): MailContent<"email_changed"> {
  return {
    kind: "email_changed",
    to,
    subject: "The address of your Spotlight account was changed",
    parts: isNew
      ? [
        "Your Spotlight account now has this address: codes to sign in and " +
        "all mails come here. Other browsers were signed out.",
        { button: "See your settings", url: `${baseUrl}${PAGES.settings}` },
      ]
      : [
        "Your Spotlight account has another address now, and this one signs " +
        "in to it no more. Other browsers were signed out; agents stay " +
        "connected.",
        `If this was not you, write to ${seller.email} at once.`,
      ],
  };
}
