/**
 * What this process does at once with what it has just committed.
 *
 * @module
 */
import { startTimer } from "../adapters/time/system_time.ts";
import {
  type CallbackPump,
  createCallbackPump,
} from "../domain/callbacks/callback_pump.ts";
import { createArchivePump } from "../domain/invoices/archive_documents.ts";
import { createMailPump } from "../domain/mail/deliver_mails.ts";
import { createCommissionPump } from "../domain/partners/advance_commissions.ts";
import { createPayoutPump } from "../domain/partners/send_payouts.ts";
import type { Services } from "../domain/ports.ts";
import { createRequestPump } from "../domain/privacy/fulfil_requests.ts";
import type { Pump } from "../domain/tasks/pump.ts";
import type { StoreOptions } from "../kv/store.ts";

/** The pumps behind the store. */
export interface Pumps {
  services: Services;
  mails: Pump<string>;
  documents: Pump<string>;
  callbacks: CallbackPump;
  commissions: Pump<string>;
  payouts: Pump<string>;
  dataRequests: Pump<string>;
  /** Begins nothing more and waits for what is under way. */
  close(): Promise<void>;
}

/** What the store tells the process of its commits. */
export type CommitHooks = Pick<
  StoreOptions,
  | "onMailsQueued"
  | "onDocumentsQueued"
  | "onEventsNoted"
  | "onCallbacksChanged"
  | "onCommissionsDue"
  | "onPayoutsRequested"
  | "onDataRequested"
>;

/** Makes the pumps. */
export function openPumps(services: Services): Pumps {
  const mails = createMailPump(services);
  const documents = createArchivePump(services, startTimer);
  const callbacks = createCallbackPump(services, startTimer);
  const commissions = createCommissionPump(services, startTimer);
  const payouts = createPayoutPump(services, startTimer);
  const dataRequests = createRequestPump(services, startTimer);
  return {
    services,
    mails,
    documents,
    callbacks,
    commissions,
    payouts,
    dataRequests,
    async close() {
      await commissions.close();
      await payouts.close();
      await mails.close();
      await callbacks.close();
      await documents.close();
      await dataRequests.close();
    },
  };
}

/** Hands commits to the pumps, which are made of the store that tells of them. */
export function hooksOf(pumps: () => Pumps): CommitHooks {
  return {
    onMailsQueued: (mailIds) => pumps().mails.offer(mailIds),
    onDocumentsQueued: (numbers) => pumps().documents.offer(numbers),
    onDataRequested: (accountIds) => pumps().dataRequests.offer(accountIds),
    onEventsNoted(logs) {
      const { services, callbacks } = pumps();
      services.eventWaits.wake(logs.map(({ accountId }) => accountId));
      callbacks.noteLogs(logs);
    },
    onCommissionsDue: (invoiceIds) => pumps().commissions.offer(invoiceIds),
    onPayoutsRequested: (payoutIds) => pumps().payouts.offer(payoutIds),
    onCallbacksChanged: (changed) => pumps().callbacks.noteCallbacks(changed),
  };
}
