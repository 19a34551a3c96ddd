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
import type { Services } from "../domain/ports.ts";
import type { Pump } from "../domain/tasks/pump.ts";
import type { StoreOptions } from "../kv/store.ts";

/** The pumps behind the store. */
export interface Pumps {
  services: Services;
  mails: Pump<string>;
  documents: Pump<string>;
  callbacks: CallbackPump;
  /** Begins nothing more and waits for what is under way. */
  close(): Promise<void>;
}

/** What the store tells the process of its commits. */
export type CommitHooks = Pick<
  StoreOptions,
  "onMailsQueued" | "onDocumentsQueued" | "onEventsNoted" | "onCallbacksChanged"
>;

/** Makes the pumps. */
export function openPumps(services: Services): Pumps {
  const mails = createMailPump(services);
  const documents = createArchivePump(services, startTimer);
  const callbacks = createCallbackPump(services, startTimer);
  return {
    services,
    mails,
    documents,
    callbacks,
    async close() {
      await mails.close();
      await callbacks.close();
      await documents.close();
    },
  };
}

/** Hands commits to the pumps, which are made of the store that tells of them. */
export function hooksOf(pumps: () => Pumps): CommitHooks {
  return {
    onMailsQueued: (mailIds) => pumps().mails.offer(mailIds),
    onDocumentsQueued: (numbers) => pumps().documents.offer(numbers),
    onEventsNoted(logs) {
      const { services, callbacks } = pumps();
      services.eventWaits.wake(logs.map(({ accountId }) => accountId));
      callbacks.noteLogs(logs);
    },
    onCallbacksChanged: (changed) => pumps().callbacks.noteCallbacks(changed),
  };
}
