import type { Mailer } from "../../domain/mail/mailer.ts";

/**
 * Sends nothing anywhere: mail stays in the outbox, which shows it to
 * developers.
 */
export const outboxMailer: Mailer = {
  keepsText: true,
  send: () => Promise.resolve(),
};
