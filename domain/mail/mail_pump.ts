import type { Services } from "../ports.ts";
import { deliverMail } from "./deliver_mail.ts";

/** Mails that are tried at the same time straight after their commit. */
const UNDER_WAY_MAX = 8;
/** Mails that wait for that in memory; the others wait for the next sweep. */
const WAITING_MAX = 1_000;

/** Tries mails in this process as soon as they are committed. */
export interface MailPump {
  /** Takes note of committed mails; never waits and never throws. */
  offer(mailIds: readonly string[]): void;
  /** Begins no further mail and waits for those under way. */
  close(): Promise<void>;
}

/**
 * A pump beside the sweep: what it can't take, or what a crash takes from it,
 * is still in the outbox and found by `deliverMails()`.
 */
export function createMailPump(services: Services): MailPump {
  const waiting: string[] = [];
  const underWay = new Set<Promise<void>>();
  let closed = false;

  async function run(): Promise<void> {
    for (;;) {
      const mailId = closed ? undefined : waiting.shift();
      if (mailId === undefined) return;
      try {
        await deliverMail(services, { mailId });
      } catch (error) {
        const name = error instanceof Error ? error.name : "unknown";
        services.log.error("mail.unrecorded", { mail: mailId, error: name });
      }
    }
  }

  return {
    offer(mailIds) {
      if (closed) return;
      waiting.push(...mailIds.slice(0, WAITING_MAX - waiting.length));
      while (waiting.length > 0 && underWay.size < UNDER_WAY_MAX) {
        const lane = run().finally(() => underWay.delete(lane));
        underWay.add(lane);
      }
    },
    async close() {
      closed = true;
      await Promise.all(underWay);
    },
  };
}
