import type { Fetcher } from "../fetching/fetcher.ts";
import { type Mailer, MailRefused } from "../mail/mailer.ts";

/**
 * Whom mails are for that go to `ALERT_WEBHOOK_URL` instead. It is no address, so
 * that nobody can have a mail of theirs sent to it.
 */
export const WEBHOOK_RECEIVER = "the alert webhook";

/** Everything together, ms. */
const TIMEOUT_MS = 10_000;
/** Longest text of a message. */
const TEXT_MAX = 3_000;

/**
 * A mailer that posts what is for the webhook, as chats take it: the subject
 * alone, since others read there. So the outbox tries it again as it does mails,
 * and no more often.
 */
export function withAlertWebhook(
  mailer: Mailer,
  fetcher: Pick<Fetcher, "notify">,
  url: string | null,
): Mailer {
  if (url === null) return mailer;
  return {
    keepsText: mailer.keepsText,
    async send(mail) {
      if (mail.to !== WEBHOOK_RECEIVER) return await mailer.send(mail);
      const status = await fetcher.notify(url, {
        body: JSON.stringify({ text: mail.subject.slice(0, TEXT_MAX) }),
        headers: { "content-type": "application/json" },
        timeoutMs: TIMEOUT_MS,
        asker: "alerts",
      });
      if (status >= 200 && status < 300) return;
      // It is told that it asks too much, or to ask again; or never.
      const isForGood = status < 500 && status !== 408 && status !== 429;
      if (isForGood) throw new MailRefused(status);
      throw new Error(`The webhook answered ${status}`);
    },
  };
}
