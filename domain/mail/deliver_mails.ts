import type { Services } from "../ports.ts";
import { deliverMail } from "./deliver_mail.ts";

/** Mails of one run; the next run goes on from there. */
export const MAILS_PER_RUN = 500;
/** Mails that are sent at the same time. */
const LANES = 4;
/** No mail is begun later than this in a run, so that runs hardly overlap. */
const BEGIN_WITHIN_MS = 45_000;

/**
 * Delivers the mails that are due, oldest first, as far as one run goes. Safe
 * to run twice, in two isolates, and after a crash. One mail's trouble never
 * keeps the others waiting.
 */
export async function deliverMails(services: Services): Promise<void> {
  const { store, clock } = services;
  const startedAtMs = clock.now();
  const mails = await store.listDueMails(startedAtMs, {
    limit: MAILS_PER_RUN,
  });
  const queue = mails.values();
  const work = async () => {
    for (const { id } of queue) {
      await attempt(services, id);
      if (clock.now() - startedAtMs > BEGIN_WITHIN_MS) return;
    }
  };
  await Promise.all(Array.from({ length: LANES }, work));
}

async function attempt(services: Services, mailId: string): Promise<void> {
  try {
    await deliverMail(services, { mailId });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    services.log.error("mail.unrecorded", { mail: mailId, error: error.name });
  }
}
