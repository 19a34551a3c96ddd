import type { Services } from "../ports.ts";
import { MailRefused } from "./mailer.ts";
import type { OutboxMail } from "./outbox_mail.ts";

/**
 * How long nobody else tries a mail. The mailer's own limit is half of it, so
 * a second attempt never overlaps the first.
 */
export const MAIL_LEASE_MS = 60_000;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The pauses after each failed attempt; after the last comes no other. */
const PAUSES_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  8 * HOUR_MS,
  12 * HOUR_MS,
];

/** Attempts, spread over about a day, before a mail is given up. */
export const MAIL_ATTEMPTS_MAX = PAUSES_MS.length + 1;

/**
 * Tries one mail if it is due, and records the outcome. Of any number of
 * isolates one takes the lease and sends. A process that dies after the server
 * took the mail and before that is recorded leaves it to be sent once more;
 * both copies carry the same Message-ID.
 */
export async function deliverMail(
  services: Services,
  input: { mailId: string },
): Promise<void> {
  if (await isHeldBack(services, input.mailId)) return;
  const owner = services.ids.next("lease");
  const mail = await takeLease(services, input.mailId, owner);
  if (mail === null) return;
  if (mail.state === "given_up") return tellGivenUp(services, mail);
  let failure: unknown = null;
  try {
    await services.mailer.send(mail);
  } catch (error) {
    failure = error ?? new Error("Cannot send the mail");
  }
  if (failure === null) await recordSent(services, mail.id);
  else await recordFailure(services, mail, failure);
}

/** While the store is on hold no mail leaves but a code to sign in with. */
async function isHeldBack(
  { store }: Services,
  mailId: string,
): Promise<boolean> {
  if (await store.currentHold() === null) return false;
  return (await store.outbox.find(mailId))?.kind !== "sign_in";
}

/** The mail to send, or to be told given up; null when it is not due. */
function takeLease(
  { store, clock }: Services,
  mailId: string,
  owner: string,
): Promise<OutboxMail | null> {
  return store.transact(async (tx) => {
    const now = clock.now();
    const mail = await tx.outbox.find(mailId);
    if (mail?.state !== "waiting" || mail.dueAtMs > now) return null;
    if (mail.attempts >= MAIL_ATTEMPTS_MAX) {
      // The process that made the last attempt died before its outcome.
      const over = forgotten({ ...mail, state: "given_up", leaseOwner: null });
      tx.outbox.save(over);
      return over;
    }
    const held: OutboxMail = {
      ...mail,
      attempts: mail.attempts + 1,
      leaseOwner: owner,
      dueAtMs: now + MAIL_LEASE_MS,
    };
    tx.outbox.save(held);
    return held;
  });
}

function tellGivenUp({ log }: Services, mail: OutboxMail): void {
  log.error("mail.given_up", { mail: mail.id, attempts: mail.attempts });
}

/** Recorded whoever holds the lease by now: the mail has left. */
async function recordSent(services: Services, mailId: string): Promise<void> {
  const { store, clock, log, mailer } = services;
  await store.transact(async (tx) => {
    const mail = await tx.outbox.find(mailId);
    if (mail === null || mail.state === "sent") return;
    const sent: OutboxMail = {
      ...mail,
      state: "sent",
      sentAtMs: clock.now(),
      leaseOwner: null,
    };
    tx.outbox.save(mailer.keepsText ? sent : forgotten(sent));
  });
  log.info("mail.sent", { mail: mailId });
}

async function recordFailure(
  services: Services,
  tried: OutboxMail,
  failure: unknown,
): Promise<void> {
  const { store, clock, log } = services;
  const refused = failure instanceof MailRefused;
  const pauseMs = PAUSES_MS[tried.attempts - 1];
  const isLast = refused || pauseMs === undefined;
  await store.transact(async (tx) => {
    const mail = await tx.outbox.find(tried.id);
    if (mail?.state !== "waiting") return;
    if (mail.leaseOwner !== tried.leaseOwner) return;
    const free = { ...mail, leaseOwner: null };
    tx.outbox.save(
      isLast
        ? forgotten({ ...free, state: "given_up" })
        : { ...free, dueAtMs: clock.now() + pauseMs },
    );
  });
  log.error(isLast ? "mail.given_up" : "mail.failed", {
    mail: tried.id,
    attempts: tried.attempts,
    // Never the message: servers repeat the address in theirs.
    why: refused ? failure.status ?? "address" : "unreachable",
  });
}

/** The mail without what it said, once nobody will send it any more. */
function forgotten(mail: OutboxMail): OutboxMail {
  return { ...mail, text: "", html: null };
}
