import type { MutableMail } from "./mail_kinds.ts";

/** What is kept of an address whose account was erased. */
export interface MailSuppression {
  /** Of the address, under a key of the service. */
  hash: string;
  muted: readonly MutableMail[];
}
