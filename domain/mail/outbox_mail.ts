import type { WriteTable } from "../tables.ts";
import type { Mail, MailContent } from "./mail_content.ts";
import type { CertainMail } from "./mail_kinds.ts";
import { renderMail } from "./render_mail.ts";

/**
 * A mail on its way. It is written in the commit of the verb that wants it
 * sent, so that there is never a mail without its cause or the other way
 * round; a worker delivers it afterwards.
 */
export interface OutboxMail extends Mail {
  id: string;
  /**
   * Whose mail it is, wherever that account's address was then; absent while no
   * account has the address, to operators, and in rows of earlier versions.
   */
  accountId?: string;
  state: "waiting" | "sent" | "given_up";
  createdAtMs: number;
  /** Not tried before this moment; during an attempt, when its lease ends. */
  dueAtMs: number;
  /** Attempts begun. */
  attempts: number;
  sentAtMs: number | null;
  /** Who delivers it until `dueAtMs`; null outside of an attempt. */
  leaseOwner: string | null;
  expiresAtMs: number;
}

/** How long a mail is kept, sent or not: 7 days. */
export const MAIL_KEPT_MS = 7 * 86_400_000;

/**
 * Puts a mail that always comes into the outbox of the caller's own commit. Its
 * id comes from `ids.next("mail")` outside the transaction. The store tells the
 * process once the commit stands, so that the mail is tried at once. Decision
 * 0050 says why. One that can be switched off goes by `queueOwnerMail()`.
 */
export function queueMail(
  tx: { outbox: WriteTable<OutboxMail> },
  { mailId, accountId, content }: QueuedMail,
  nowMs: number,
): void {
  const whose = accountId === null ? {} : { accountId };
  saveMail(tx, mailId, { ...renderMail(content), ...whose }, nowMs);
}

/** A mail that always comes, and whose it is. */
export interface QueuedMail {
  mailId: string;
  /** Null for operators, and while no account has the address. */
  accountId: string | null;
  content: MailContent<CertainMail>;
}

/** The same of a mail that is rendered already. */
export function saveMail(
  tx: { outbox: WriteTable<OutboxMail> },
  id: string,
  mail: Mail & Pick<OutboxMail, "accountId">,
  nowMs: number,
): void {
  // An account that is being erased has no address any more.
  if (mail.to === "") return;
  tx.outbox.save({
    ...mail,
    id,
    state: "waiting",
    createdAtMs: nowMs,
    dueAtMs: nowMs,
    attempts: 0,
    sentAtMs: null,
    leaseOwner: null,
    expiresAtMs: nowMs + MAIL_KEPT_MS,
  });
}

/**
 * Under what the mail is found by whose it is: the account, or, for one of no
 * known account, the address it goes to. No account's id is an address.
 */
export function ownerOfMail(
  { accountId, to }: Pick<OutboxMail, "accountId" | "to">,
): string {
  return accountId ?? to;
}

/** When the mail is tried next; null once nobody tries it any more. */
export function mailDueAtMs({ state, dueAtMs }: OutboxMail): number | null {
  return state === "waiting" ? dueAtMs : null;
}

/** The mail without what it said, once nobody will send it any more. */
export function forgotten(mail: OutboxMail): OutboxMail {
  const { html: _html, unsubscribeUrl: _url, ...rest } = mail;
  return { ...rest, text: "" };
}

/**
 * Whether the mail was just put into the outbox and is tried at once. Those to
 * all who lost a day wait for the sweep: they may be thousands, and who waits
 * for a code to sign in with would wait behind them.
 */
export function isNewMail({ kind, state, attempts }: OutboxMail): boolean {
  return state === "waiting" && attempts === 0 && kind !== "bid_lost";
}
