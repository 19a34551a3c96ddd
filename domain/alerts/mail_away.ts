import { hasCode } from "../hold/has_code.ts";
import { MAIL_ATTEMPTS_MAX } from "../mail/deliver_mail.ts";
import type { OutboxMail } from "../mail/outbox_mail.ts";
import type { Services } from "../ports.ts";
import { WEBHOOK_RECEIVER } from "./webhook_mailer.ts";

/** A mail that waits for so long was tried three times and more. */
const WAITS_MS = 30 * 60_000;
/** The newest mails, which are looked at. */
const MAILS_MAX = 200;

type Reader = Pick<Services, "store" | "clock">;

/**
 * Whether the mail server takes nothing: a mail has waited for half an hour, and
 * none was taken since it was written. One that is refused for good, or waits
 * while others are taken, says nothing of the server.
 */
export async function isMailAway(services: Reader): Promise<boolean> {
  const mails = (await newestMails(services))
    .filter(({ to }) => to !== WEBHOOK_RECEIVER);
  const takenMs = Math.max(0, ...mails.map(({ sentAtMs }) => sentAtMs ?? 0));
  const untilMs = services.clock.now() - WAITS_MS;
  return mails.some((mail) =>
    isUntaken(mail) && mail.createdAtMs > takenMs && mail.createdAtMs <= untilMs
  );
}

/** Whether there are so many newer mails that those which wait are not seen. */
export async function isMailStillAway(services: Reader): Promise<boolean> {
  const mails = await newestMails(services);
  return mails.length === MAILS_MAX &&
    mails.every(({ state, to }) => state !== "sent" || to === WEBHOOK_RECEIVER);
}

function newestMails({ store }: Reader): Promise<OutboxMail[]> {
  return store.listMails({ limit: MAILS_MAX, reverse: true });
}

/** A code is over after three attempts, or two where a server takes its time. */
const CODE_ATTEMPTS = 2;

/** Tried in vain, also by all its attempts; a refusal for good ends them early. */
function isUntaken(mail: OutboxMail): boolean {
  const { state, attempts } = mail;
  const all = hasCode(mail) ? CODE_ATTEMPTS : MAIL_ATTEMPTS_MAX;
  return state === "waiting"
    ? attempts > 0
    : state === "given_up" && attempts >= all;
}
