import type { MailContent } from "../mail/mail_content.ts";
import { type MailRule, MAILS } from "../mail/mail_kinds.ts";
import { saveMail } from "../mail/outbox_mail.ts";
import { renderMail } from "../mail/render_mail.ts";
import type { Transaction } from "../ports.ts";
import type { Account } from "./account.ts";
import { wantsMail } from "./mail_choices.ts";

/**
 * Puts a mail to the account's owner into the outbox of the caller's own
 * commit, unless it is one that can be switched off and was.
 */
export function queueOwnerMail(
  tx: Pick<Transaction, "outbox">,
  account: Account,
  { mailId, content }: { mailId: string; content: MailContent },
  nowMs: number,
): void {
  const { choice }: MailRule = MAILS[content.kind];
  if (choice !== null && !wantsMail(account, choice)) return;
  saveMail(tx, mailId, renderMail(content), nowMs);
}
