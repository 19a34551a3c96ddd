/**
 * Changes that no request of the API makes: by people on hosted pages, by the
 * hand on the simulator, by the outside world.
 *
 * @module
 */

import type { Account } from "./account.ts";
import type { Books } from "./books.ts";
import { Call } from "./call.ts";
import type { Faults } from "./faults.ts";
import type { WebhookSender } from "./webhooks.ts";

/** What such changes need. */
export interface DeskSetting {
  /** The processor's state. */
  books: Books;
  /** What is to go wrong. */
  faults: Faults;
  /** Sends the events. */
  webhooks: WebhookSender;
  /** Epoch milliseconds. */
  now: () => number;
  /** Numbers from 0 up to but not 1. */
  random: () => number;
  /** Address of the simulator. */
  baseUrl: string;
  /** Whose account it is. */
  account: Account;
}

/** Makes changes. */
export class Desk {
  /** Builds it over what it works with. */
  constructor(readonly setting: DeskSetting) {}

  /**
   * Runs a change and sends the events it caused. When it throws, nothing of
   * it remains.
   *
   * @param from the request that asked for it, whose faults may strike it
   */
  change<R>(
    run: (call: Call) => R,
    from?: { method: string; path: string },
  ): R {
    const { books, faults, webhooks, now, ...setting } = this.setting;
    const nowMs = now();
    let eventIds: string[] = [];
    const result = books.transact(nowMs, (change) => {
      const call = new Call({
        books,
        nowMs,
        ...setting,
        request: { id: null, idempotency_key: null },
        webhookUrl: webhooks.targetUrl,
        takeOutcome: () =>
          from === undefined
            ? null
            : faults.takeOutcome(from.method, from.path),
      }, change);
      const done = run(call);
      eventIds = call.eventIds;
      return done;
    });
    webhooks.enqueue(eventIds);
    return result;
  }
}
