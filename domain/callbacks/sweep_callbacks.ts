/**
 * From a new event to the requests that tell of it: the account's callbacks are
 * made due, and those that are due are told. A pump does it at once; here is what
 * a job makes up where a process has died in between.
 *
 * @module
 */
import { nameOfThrown } from "../failure.ts";
import type { Services } from "../ports.ts";
import { sweep } from "../tasks/sweep.ts";
import { deliverInARow } from "./deliver_callback.ts";

/** Accounts and callbacks one run takes up. */
const PER_RUN = 500;
/** Callbacks that are told at the same time. */
const LANES = 16;
/** Makes the callbacks of an account due that have not been told all. */
export function wakeCallbacks(
  { store, clock }: Pick<Services, "store" | "clock">,
  accountId: string,
): Promise<void> {
  return store.transact(async (tx) => {
    const log = await tx.eventLogs.find(accountId);
    if (log === null || (log.untoldSinceMs ?? null) === null) return;
    const { listeners = [], position } = log;
    const found = await tx.getMany(listeners.map((id) => tx.callbacks.ref(id)));
    for (const callback of found) {
      if (callback === null || callback.dueAtMs !== null) continue;
      if (callback.off !== null || callback.position >= position) continue;
      tx.callbacks.save({ ...callback, dueAtMs: clock.now() });
    }
    tx.eventLogs.save({ ...log, untoldSinceMs: null });
  });
}

/** Tells what no process's pump has told. Safe to run twice, and after a crash. */
export async function sweepCallbacks(services: Services): Promise<void> {
  const { store, clock } = services;
  const limit = PER_RUN;
  await sweep(clock, {
    due: (nowMs) => store.listDue("untold", nowMs, { limit }),
    lanes: LANES,
    attempt: ({ accountId }) => wakeCallbacks(services, accountId),
    failed: (_, error) => logUntold(services, error),
  });
  await sweep(clock, {
    due: (nowMs) => store.listDue("callbacks", nowMs, { limit }),
    lanes: LANES,
    attempt: ({ grantId }) => deliverInARow(services, { grantId }),
    failed: (_, error) => logUntold(services, error),
  });
}

/** Tells the log of what stays due, or is due after its lease. */
export function logUntold(
  { log }: Pick<Services, "log">,
  thrown: unknown,
): void {
  log.error("callback.untold", { error: nameOfThrown(thrown) });
}
