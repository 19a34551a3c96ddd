import type { MailKind } from "../mail/mail_kinds.ts";

/** How long a code that was mailed may be given: 10 minutes. */
export const CODE_MS = 10 * 60_000;

/** Kinds that say a code: it cannot wait, and nobody else may read it. */
const WITH_CODES: readonly MailKind[] = ["sign_in", "email_change"];

/** Whether a mail says a code, which leaves while a store is on hold. */
export function hasCode({ kind }: { kind?: MailKind }): boolean {
  return kind !== undefined && WITH_CODES.includes(kind);
}
