import type { Account } from "./account.ts";
import { dayOf } from "../day.ts";
import type { Transaction } from "../ports.ts";
import type { MailContent } from "../mail/mail_content.ts";
import type { CertainMail } from "../mail/mail_kinds.ts";
import { queueMail } from "../mail/outbox_mail.ts";

/** Mails of this kind to one account on one UTC day. */
export const SECURITY_MAILS_A_DAY = 10;

const LAST_OF_DAY =
  "This is the last mail of this kind today. Your account page shows what " +
  "else changes.";

/**
 * Tells an owner what somebody did with the account, in the caller's commit,
 * which has to have read the account. Who signs in can do such things over and
 * over: without an end one account used up what the mail server takes of us, and
 * nobody could be mailed a code.
 */
export function queueSecurityMail(
  tx: Pick<Transaction, "accounts" | "outbox">,
  account: Account,
  { mailId, content }: { mailId: string; content: MailContent<CertainMail> },
  nowMs: number,
): void {
  const day = dayOf(nowMs);
  const { securityMails: before } = account;
  const count = (before?.day === day ? before.count : 0) + 1;
  if (count > SECURITY_MAILS_A_DAY) return;
  tx.accounts.save({ ...account, securityMails: { day, count } });
  const isLast = count === SECURITY_MAILS_A_DAY;
  const parts = isLast ? [...content.parts, LAST_OF_DAY] : content.parts;
  const said = { ...content, parts };
  queueMail(tx, { mailId, accountId: account.id, content: said }, nowMs);
}
