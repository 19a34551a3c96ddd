import { isoMinute } from "../day.ts";
import type { MailContent } from "../mail/mail_content.ts";
import { PAGES } from "../pages.ts";
import type { Settings } from "../ports.ts";
import type { Erasure } from "./erasure.ts";

/** To whom a mail about an erasure goes, and the link in it. */
export interface ErasureMail {
  to: string;
  /** It needs no sign-in. */
  url: string;
}

/** The mail whose link confirms an erasure. */
export function erasureAskedMail(
  { baseUrl }: Pick<Settings, "baseUrl">,
  { to, url }: ErasureMail,
  { grantId, confirmUntilMs }: Pick<Erasure, "grantId" | "confirmUntilMs">,
): MailContent<"erasure_asked"> {
  return {
    kind: "erasure_asked",
    to,
    subject: "Confirm the erasure of your Spotlight account",
    parts: [
      grantId === null
        ? "Somebody who is signed in asked for the erasure of your Spotlight " +
          "account."
        : "An agent that you connected asked for the erasure of your " +
          "Spotlight account.",
      "If you want that, confirm it. Nothing happens before you do. You then " +
      "have 7 days to change your mind.",
      { button: "Confirm the erasure", url },
      `The link works until ${isoMinute(confirmUntilMs)}. If you do not ` +
      "want it, ignore this mail: nothing happens. If it was not you, sign " +
      "out everywhere.",
      { link: "Your settings", url: `${baseUrl}${PAGES.settings}` },
    ],
  };
}

/** Tells that an erasure was confirmed, with the way back. */
export function erasureConfirmedMail(
  { to, url }: ErasureMail,
  { eraseAtMs }: Pick<Erasure, "eraseAtMs">,
): MailContent<"erasure_confirmed"> {
  const at = isoMinute(eraseAtMs ?? 0);
  return {
    kind: "erasure_confirmed",
    to,
    subject: "Your Spotlight account will be erased",
    parts: [
      `You confirmed it: your account will be erased after ${at}. Until then ` +
      "everything stays as it is, and bids that stand may win and be charged.",
      "Have you changed your mind, or was it not you? This keeps the account, " +
      "without signing in:",
      { button: "Keep my account", url },
      "Invoices and the books stay for 10 years, as accounting law demands. " +
      "Once the account is erased, you get no mail about it.",
    ],
  };
}

/** Tells that an erasure waits once more, as a backup had to be restored. */
export function erasureAgainMail(
  { to, url }: ErasureMail,
  { eraseAtMs }: Pick<Erasure, "eraseAtMs">,
): MailContent<"erasure_confirmed"> {
  const at = isoMinute(eraseAtMs ?? 0);
  return {
    kind: "erasure_confirmed",
    to,
    subject: "Is your Spotlight account still to be erased?",
    parts: [
      "You confirmed the erasure of your account. We have restored our data " +
      "from a backup since, and may have lost that you called it off. So it " +
      `waits once more: your account will be erased after ${at}.`,
      "If you want that, there is nothing to do. This keeps the account, " +
      "without signing in:",
      { button: "Keep my account", url },
    ],
  };
}
