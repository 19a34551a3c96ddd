import type { Mailer } from "../../domain/mail/mailer.ts";
import { smtpMailer, type SmtpOptions } from "./smtp_mailer.ts";

/** The mailer that `MAIL_URL` names. */
export function createMailer(options: SmtpOptions): Mailer {
  return options.url === "outbox:" ? outboxMailer : smtpMailer(options);
}

/**
 * Sends nothing anywhere: mail stays in the outbox, which shows it to
 * developers.
 */
const outboxMailer: Mailer = {
  keepsText: true,
  send: () => Promise.resolve(),
};
