/**
 * The link in a mail that switches off its kind, for whoever has the mail. It is
 * signed, so that nobody can make one up, and good for a year.
 *
 * @module
 */
import { addDays, dayOf, parseDay } from "../day.ts";
import { MUTABLE_MAILS, type MutableMail } from "../mail/mail_kinds.ts";
import type { Keys, Services } from "../ports.ts";
import { readSignedText, signedText } from "../text/signed_text.ts";

/** The page that such links lead to. */
export const UNSUBSCRIBE_PATH = "/unsubscribe";

/** How long a link is good for: longer than the law of any country asks. */
const GOOD_DAYS = 365;

/** Whose mails of which choice are switched off. */
export interface Unsubscribing {
  accountId: string;
  choice: MutableMail;
  /** The address it was mailed to, as `mailedTo()` names it. */
  to: string;
}

/** The address for a mail of now. */
export function unsubscribeUrl(
  { keys, settings }: Pick<Services, "keys" | "settings">,
  what: Unsubscribing,
  nowMs: number,
): string {
  const { accountId, choice, to } = what;
  const parts = [accountId, choice, dayOf(nowMs), to];
  const token = signedText(keys, "unsubscribe", parts);
  return `${settings.baseUrl}${UNSUBSCRIBE_PATH}/${token}`;
}

/** What a link says; null for one that is too old, cut off or not of ours. */
export function readUnsubscribeToken(
  keys: Keys,
  token: string,
  nowMs: number,
): Unsubscribing | null {
  const asked = { text: token, count: 4 };
  const parts = readSignedText(keys, "unsubscribe", asked);
  if (parts === null) return null;
  const [accountId = "", named, date = "", to = ""] = parts;
  const choice = MUTABLE_MAILS.find((each) => each === named);
  const day = parseDay(date);
  if (choice === undefined || day === null) return null;
  if (addDays(day, GOOD_DAYS) < dayOf(nowMs)) return null;
  return { accountId, choice, to };
}
