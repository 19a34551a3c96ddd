/**
 * The end of a callback: with its connection, in the commit that ends that, or
 * found by the clock where nobody's commit does.
 *
 * @module
 */
import type { Callback } from "../callbacks/callback.ts";
import { DAY_MS } from "../day.ts";
import type { EventLog } from "../events/event.ts";
import type { Transaction } from "../ports.ts";

/** What is left of a callback whose connection is over. */
export const ENDED_KEPT_MS = 30 * DAY_MS;

/** Ends the callback of a connection, if it has one, in the commit that ends it. */
export async function endCallbackOf(
  tx: Transaction,
  grantId: string,
  nowMs: number,
): Promise<void> {
  const callback = await tx.callbacks.find(grantId);
  if (callback === null) return;
  const free = { ...callback, leaseOwner: null };
  tx.callbacks.save(await endedCallback(tx, free, nowMs));
}

/**
 * The callback of a connection that is over, whose place others may have. One
 * that had ended before goes when it was to go.
 */
export async function endedCallback(
  tx: Transaction,
  callback: Callback,
  endedAtMs: number,
): Promise<Callback> {
  const log = await tx.eventLogs.find(callback.accountId);
  if (log !== null) tx.eventLogs.save(withoutListener(log, callback.grantId));
  const { expiresAtMs = endedAtMs + ENDED_KEPT_MS } = callback;
  return { ...callback, off: "failing", dueAtMs: null, expiresAtMs };
}

/** The log without somebody who is told. */
export function withoutListener(log: EventLog, grantId: string): EventLog {
  const listeners = (log.listeners ?? []).filter((id) => id !== grantId);
  return { ...log, listeners };
}
