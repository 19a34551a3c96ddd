import { createWorkPump, type WorkPump } from "../operations/work_pump.ts";
import type { Services } from "../ports.ts";
import { attemptDelivery } from "./deliver_mails.ts";

/** Mails that are tried at once, and that wait for it in memory. */
const LIMITS = { lanes: 8, waitingMax: 1_000 };

/** Tries mails in this process as soon as they are committed. */
export type MailPump = WorkPump<string>;

/**
 * A pump beside the sweep: what it can't take, or what a crash takes from it,
 * is still in the outbox and found by `deliverMails()`.
 */
export function createMailPump(services: Services): MailPump {
  return createWorkPump(
    LIMITS,
    (mailId) => attemptDelivery(services, mailId),
  );
}
