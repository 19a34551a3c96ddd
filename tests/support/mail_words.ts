import type { Mail } from "../../domain/mail/mail_content.ts";

/** What a mail says as plain text, wherever its lines are wrapped. */
export function wordsOf(mail: Pick<Mail, "text"> | undefined): string {
  return (mail?.text ?? "").replace(/\s+/g, " ");
}
