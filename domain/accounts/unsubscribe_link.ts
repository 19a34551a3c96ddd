/**
 * The link in a mail that switches off its kind, for whoever has the mail. It is
 * signed, so that nobody can make one up, and good for a year.
 *
 * @module
 */
import { addDays, dayOf, parseDay } from "../day.ts";
import { MUTABLE_MAILS, type MutableMail } from "../mail/mail_kinds.ts";
import type { Keys, Services } from "../ports.ts";
import { sha256Hex } from "../sha256.ts";

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

const SHAPE =
  /^([A-Za-z0-9_]{1,64})~([a-z_]{1,32})~(\d{4}-\d{2}-\d{2})~([0-9a-f]{64})~([A-Za-z0-9_-]{1,64})~([A-Za-z0-9_-]{43})$/;

/** The address for a mail of now. */
export function unsubscribeUrl(
  { keys, settings }: Pick<Services, "keys" | "settings">,
  what: Unsubscribing,
  nowMs: number,
): string {
  const { accountId, choice, to } = what;
  const day = dayOf(nowMs);
  const keyId = keys.currentId;
  const mac = macOf(keys, what, day, keyId);
  const parts = [accountId, choice, day, to, keyId, mac];
  return `${settings.baseUrl}${UNSUBSCRIBE_PATH}/${parts.join("~")}`;
}

/** What a link says; null for one that is too old, cut off or not of ours. */
export function readUnsubscribeToken(
  keys: Keys,
  token: string,
  nowMs: number,
): Unsubscribing | null {
  const [, accountId = "", named, date = "", to = "", keyId = "", mac = ""] =
    SHAPE.exec(token) ?? [];
  const choice = MUTABLE_MAILS.find((each) => each === named);
  const day = parseDay(date);
  if (choice === undefined || day === null) return null;
  if (addDays(day, GOOD_DAYS) < dayOf(nowMs)) return null;
  const expected = macOf(keys, { accountId, choice, to }, day, keyId);
  // Hashes: how long they are compared tells nothing of what was expected.
  const isOurs = expected !== null && sha256Hex(expected) === sha256Hex(mac);
  return isOurs ? { accountId, choice, to } : null;
}

function macOf(
  keys: Keys,
  { accountId, choice, to }: Unsubscribing,
  day: string,
  keyId: string,
): string | null {
  return keys.mac("unsubscribe", `${accountId}|${choice}|${day}|${to}`, keyId);
}
