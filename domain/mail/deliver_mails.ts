import { nameOfThrown } from "../failure.ts";
import type { Services } from "../ports.ts";
import { createIdPump, type Pump } from "../tasks/pump.ts";
import { sweep } from "../tasks/sweep.ts";
import { deliverMail } from "./deliver_mail.ts";

/** Mails of one run; the next run goes on from there. */
export const MAILS_PER_RUN = 500;

/**
 * Delivers the mails that are due, oldest first, as far as one run goes. Safe
 * to run twice, in two isolates, and after a crash.
 */
export async function deliverMails(services: Services): Promise<void> {
  const { store, clock } = services;
  // What is held back is older than a code that somebody waits for.
  const reverse = await store.currentHold() !== null;
  await sweep(clock, {
    due: (nowMs) =>
      store.listDue("mails", nowMs, { limit: MAILS_PER_RUN, reverse }),
    lanes: 4,
    attempt: ({ id }) => deliverMail(services, { mailId: id }),
    failed: ({ id }, error) => logUnrecorded(services, id, error),
  });
}

/** Tries mails in this process as soon as they are committed. */
export function createMailPump(services: Services): Pump<string> {
  return createIdPump(
    { lanes: 8 },
    (mailId) => deliverMail(services, { mailId }),
    (mailId, error) => logUnrecorded(services, mailId, error),
  );
}

/** The outcome could not be written down: the mail is due after its lease. */
function logUnrecorded(
  { log }: Services,
  mail: string,
  thrown: unknown,
): void {
  log.error("mail.unrecorded", { mail, error: nameOfThrown(thrown) });
}
