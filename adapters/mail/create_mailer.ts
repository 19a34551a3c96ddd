import type { Mailer } from "../../domain/mail/mailer.ts";
import { outboxMailer } from "./outbox_mailer.ts";
import { smtpMailer, type SmtpOptions } from "./smtp_mailer.ts";

/** The mailer that `MAIL_URL` names. */
export function createMailer(options: SmtpOptions): Mailer {
  return options.url === "outbox:" ? outboxMailer : smtpMailer(options);
}
