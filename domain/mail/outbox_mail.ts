import type { WriteTable } from "../tables.ts";

/** A mail: plain text to one address. */
export interface Mail {
  /** A code that somebody waits for; absent of any other mail. */
  kind?: "sign_in";
  to: string;
  /** Never a code or a link that signs in: it is kept when the text is not. */
  subject: string;
  text: string;
}

/**
 * A mail on its way. It is written in the commit of the verb that wants it
 * sent, so that there is never a mail without its cause or the other way
 * round; a worker delivers it afterwards.
 */
export interface OutboxMail extends Mail {
  id: string;
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
 * Puts a mail into the outbox of the caller's own commit. `id` comes from
 * `ids.next("mail")` outside the transaction. The store tells the process once
 * the commit stands, so that the mail is tried at once. Decision 0050 says why.
 */
export function queueMail(
  tx: { outbox: WriteTable<OutboxMail> },
  id: string,
  mail: Mail,
  nowMs: number,
): void {
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

/** When the mail is tried next; null once nobody tries it any more. */
export function mailDueAtMs({ state, dueAtMs }: OutboxMail): number | null {
  return state === "waiting" ? dueAtMs : null;
}

/** Whether the mail was just put into the outbox and never tried. */
export function isNewMail(mail: OutboxMail): boolean {
  return mail.state === "waiting" && mail.attempts === 0;
}
