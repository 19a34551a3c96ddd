import type { MailContent } from "../mail/mail_content.ts";
import { type MailRule, MAILS } from "../mail/mail_kinds.ts";
import { saveMail } from "../mail/outbox_mail.ts";
import { renderMail } from "../mail/render_mail.ts";
import type { Services, Transaction } from "../ports.ts";
import type { Account } from "./account.ts";
import { mailedTo } from "./mailed_to.ts";
import { wantsMail } from "./mail_choices.ts";
import { unsubscribeUrl } from "./unsubscribe_link.ts";

/**
 * Puts a mail to the account's owner into the outbox of the caller's own
 * commit, unless it is one that can be switched off and was. Such a mail says
 * how to switch it off.
 */
export function queueOwnerMail(
  services: Pick<Services, "keys" | "settings">,
  tx: Pick<Transaction, "outbox">,
  account: Account,
  { mailId, content }: { mailId: string; content: MailContent },
  nowMs: number,
): void {
  const { choice }: MailRule = MAILS[content.kind];
  const accountId = account.id;
  if (choice === null) {
    const mail = { ...renderMail(content), accountId };
    return saveMail(tx, mailId, mail, nowMs);
  }
  if (!wantsMail(account, choice)) return;
  const what = { accountId, choice, to: mailedTo(account) };
  const url = unsubscribeUrl(services, what, nowMs);
  saveMail(tx, mailId, { ...renderMail(content, url), accountId }, nowMs);
}
