import { HOUR_MS, MINUTE_MS } from "../day.ts";
import { CODE_MS, hasCode } from "../hold/has_code.ts";
import type { Services } from "../ports.ts";
import { isDue } from "../tasks/due.ts";
import {
  type Held,
  runTask,
  type TaskFamily,
  type TaskOutcome,
} from "../tasks/run_task.ts";
import { MailRefused } from "./mailer.ts";
import { forgotten, mailDueAtMs, type OutboxMail } from "./outbox_mail.ts";

/**
 * How long nobody else tries a mail. The mailer's own limit is half of it, so
 * a second attempt never overlaps the first.
 */
export const MAIL_LEASE_MS = 60_000;

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
 * Whether the mail's turn has come, with its pauses by a clock that is right.
 * What has a lease has a shorter one.
 */
export function isMailDue(mail: OutboxMail, nowMs: number): boolean {
  const withinMs = mail.leaseOwner === null
    ? Math.max(...PAUSES_MS)
    : MAIL_LEASE_MS;
  return isDue(mailDueAtMs(mail), nowMs, withinMs);
}

/** What an attempt came to. */
type Ending =
  | { kind: "sent"; keepsText: boolean }
  | { kind: "failed"; error: unknown }
  /** The code that it says is over: nobody could use it any more. */
  | { kind: "too_late" };

const MAILS: TaskFamily<OutboxMail, Ending> = {
  table: ({ outbox }) => outbox,
  idOf: ({ id }) => id,
  leaseMs: MAIL_LEASE_MS,
  isFree: isMailDue,
  isUsedUp: ({ attempts }) => attempts >= MAIL_ATTEMPTS_MAX,
  // While the store is on hold no mail leaves but a code.
  runsOnHold: hasCode,
  held: (mail, { owner, untilMs }) => ({
    ...mail,
    attempts: mail.attempts + 1,
    leaseOwner: owner,
    dueAtMs: untilMs,
  }),
  run: send,
  after(mail, { held, ending, nowMs }) {
    if (ending?.kind === "sent") return sent(mail, ending, nowMs);
    const isMine = mail.leaseOwner === held.leaseOwner;
    if (mail.state !== "waiting" || !isMine) return null;
    const free = { ...mail, leaseOwner: null };
    const pauseMs = pauseAfter(held, ending);
    const isOver = pauseMs === null || isTooLate(mail, nowMs + pauseMs);
    return isOver
      ? forgotten({ ...free, state: "given_up" })
      : { ...free, dueAtMs: nowMs + pauseMs };
  },
  report,
};

/**
 * Tries one mail if it is due, and records the outcome. Of any number of
 * isolates one takes the lease and sends. A process that dies after the server
 * took the mail and before that is recorded leaves it to be sent once more;
 * both copies carry the same Message-ID.
 */
export function deliverMail(
  services: Services,
  { mailId }: { mailId: string },
): Promise<void> {
  return runTask(services, MAILS, [mailId]);
}

async function send(
  { mailer, clock }: Services,
  [mail]: Held<OutboxMail>,
): Promise<Ending> {
  if (isTooLate(mail, clock.now())) return { kind: "too_late" };
  try {
    await mailer.send(mail);
    return { kind: "sent", keepsText: mailer.keepsText };
  } catch (error) {
    return { kind: "failed", error };
  }
}

/** Sent, whoever holds the lease by now: the mail has left. */
function sent(
  mail: OutboxMail,
  { keepsText }: Ending & { kind: "sent" },
  nowMs: number,
): OutboxMail | null {
  if (mail.state === "sent") return null;
  const over: OutboxMail = {
    ...mail,
    state: "sent",
    sentAtMs: nowMs,
    leaseOwner: null,
  };
  return keepsText ? over : forgotten(over);
}

/**
 * Whether a mail that leaves then says a code that has run out by then: whoever
 * asked for it has long asked for another one.
 */
function isTooLate(mail: OutboxMail, atMs: number): boolean {
  return hasCode(mail) && atMs >= mail.createdAtMs + CODE_MS;
}

/** Until the next attempt; null after the last. */
function pauseAfter(
  { attempts }: OutboxMail,
  ending: Exclude<Ending, { kind: "sent" }> | null,
): number | null {
  if (ending?.kind === "too_late") return null;
  if (ending?.error instanceof MailRefused) return null;
  return PAUSES_MS[attempts - 1] ?? null;
}

function report(
  { log }: Services,
  { held, ending, change }: TaskOutcome<OutboxMail, Ending>,
): void {
  const { id: mail, attempts } = held;
  if (ending?.kind === "sent") return log.info("mail.sent", { mail });
  const isLast = pauseAfter(held, ending) === null ||
    change?.after.state === "given_up";
  const why = ending !== null && { why: whyOf(ending) };
  const fields = { mail, attempts, ...why };
  if (isLast) log.error("mail.given_up", fields);
  else log.info("mail.failed", fields);
}

/** Never the message: servers repeat the address in theirs. */
function whyOf(
  ending: Exclude<Ending, { kind: "sent" }>,
): number | string {
  if (ending.kind === "too_late") return "code_over";
  const { error } = ending;
  if (!(error instanceof MailRefused)) return "unreachable";
  return error.status ?? "address";
}
