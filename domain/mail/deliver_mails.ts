import { workThrough } from "../operations/work_through.ts";
import type { Services } from "../ports.ts";
import { deliverMail } from "./deliver_mail.ts";

/** Mails of one run; the next run goes on from there. */
export const MAILS_PER_RUN = 500;
const RUN_LIMITS = { lanes: 4, beginWithinMs: 45_000 };

/**
 * Delivers the mails that are due, oldest first, as far as one run goes. Safe
 * to run twice, in two isolates, and after a crash. One mail's trouble never
 * keeps the others waiting.
 */
export async function deliverMails(services: Services): Promise<void> {
  const { store, clock } = services;
  const mails = await store.listDue("mails", clock.now(), {
    limit: MAILS_PER_RUN,
    // What is held back is older than a code that somebody waits for.
    reverse: await store.currentHold() !== null,
  });
  await workThrough(
    clock,
    mails,
    RUN_LIMITS,
    ({ id }) => attemptDelivery(services, id),
  );
}

/** Tries one mail; that the outcome could not be written down is only logged. */
export async function attemptDelivery(
  services: Services,
  mailId: string,
): Promise<void> {
  try {
    await deliverMail(services, { mailId });
  } catch (error) {
    const name = error instanceof Error ? error.name : "unknown";
    services.log.error("mail.unrecorded", { mail: mailId, error: name });
  }
}
