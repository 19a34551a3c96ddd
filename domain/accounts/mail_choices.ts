/**
 * Which mails an account's owner wants. All that are not named here are always
 * sent.
 *
 * @module
 */
import { requireAccount } from "./require_account.ts";
import type { Services } from "../ports.ts";
import { MUTABLE_MAILS, type MutableMail } from "../mail/mail_kinds.ts";
import type { Account } from "./account.ts";

/** Which of them are wanted; those that are left out stay as they are. */
export type MailChoices = Partial<Record<MutableMail, boolean>>;

/** Whether the account's owner wants a mail. */
export function wantsMail(
  { mutedMails = [] }: Pick<Account, "mutedMails">,
  mail: MutableMail,
): boolean {
  return !mutedMails.includes(mail);
}

/** The account with those choices; the very same when nothing changes. */
export function withMailChoices(
  account: Account,
  choices: MailChoices,
): Account {
  const mutedMails = MUTABLE_MAILS.filter((mail) =>
    !(choices[mail] ?? wantsMail(account, mail))
  );
  const before = account.mutedMails ?? [];
  const isSame = mutedMails.length === before.length &&
    mutedMails.every((mail) => before.includes(mail));
  return isSame ? account : { ...account, mutedMails };
}

/**
 * Saves which mails the owner wants, as chosen in the browser.
 *
 * @throws {Refused} `account_not_found`
 */
export function chooseMails(
  { store }: Pick<Services, "store">,
  { accountId, choices }: { accountId: string; choices: MailChoices },
): Promise<Account> {
  return store.transact(async (tx) => {
    const account = await requireAccount(tx, accountId);
    const chosen = withMailChoices(account, choices);
    if (chosen !== account) tx.accounts.save(chosen);
    return chosen;
  });
}
