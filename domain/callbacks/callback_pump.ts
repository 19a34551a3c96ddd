import type { EventLog } from "../events/event.ts";
import type { Services, StartTimer } from "../ports.ts";
import { createPump } from "../tasks/pump.ts";
import { type Callback, callbackDueAtMs } from "./callback.ts";
import { deliverCallback } from "./deliver_callback.ts";
import { logUntold, wakeCallbacks } from "./sweep_callbacks.ts";

/** Accounts whose addresses are told at the same time. */
const LANES = 16;
/** Accounts and addresses that wait in memory; the job finds the others. */
const WAITING_MAX = 10_000;
/** How long a stop waits for requests under way, which are then made again. */
const STOP_MS = 5_000;

/** An account whose callbacks are to be made due, or one of them that is. */
interface Item {
  accountId: string;
  grantId: string | null;
}

/** Tells callbacks in this process, when their turn comes. */
export interface CallbackPump {
  /** Takes note of events that were committed. */
  noteLogs(logs: readonly EventLog[]): void;
  /** Takes note of when callbacks are due next. */
  noteCallbacks(callbacks: readonly Callback[]): void;
  /** Begins nothing more and waits for requests under way, so long at most. */
  close(): Promise<void>;
}

/**
 * Tells callbacks of what this process commits, at once and at each moment that
 * a commit puts them off to. An account has one lane: its slow addresses wait
 * for each other alone.
 */
export function createCallbackPump(
  services: Services,
  startTimer: StartTimer,
): CallbackPump {
  const timers = new Map<string, () => void>();
  const pump = createPump<Item>(
    {
      lanes: LANES,
      waitingMax: WAITING_MAX,
      nameOf: ({ accountId }) => accountId,
      grace: { ms: STOP_MS, startTimer },
    },
    async ([{ accountId, grantId }]) => {
      if (grantId === null) await wakeCallbacks(services, accountId);
      else await deliverCallback(services, { grantId });
    },
    (_, error) => logUntold(services, error),
  );

  function note(callback: Callback): void {
    const { accountId, grantId } = callback;
    timers.get(grantId)?.();
    timers.delete(grantId);
    const dueAtMs = callbackDueAtMs(callback);
    if (dueAtMs === null) return;
    const leftMs = dueAtMs - services.clock.now();
    const turn = () => {
      timers.delete(grantId);
      pump.offer([{ accountId, grantId }]);
    };
    if (leftMs <= 0) turn();
    else if (timers.size < WAITING_MAX) {
      timers.set(grantId, startTimer(turn, leftMs));
    }
  }

  return {
    noteLogs(logs) {
      const untold = logs.filter(({ untoldSinceMs = null }) =>
        untoldSinceMs !== null
      );
      pump.offer(untold.map(({ accountId }) => ({ accountId, grantId: null })));
    },
    noteCallbacks: (callbacks) => callbacks.forEach(note),
    async close() {
      timers.forEach((callOff) => callOff());
      timers.clear();
      await pump.close();
    },
  };
}
