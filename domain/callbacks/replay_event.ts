import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { REPLAYS_MAX } from "./callback.ts";

/** Which event a connection is told again. */
export interface ReplayEvent {
  accountId: string;
  grantId: string;
  position: number;
}

/**
 * Has an event told again, under its own id. Asking twice tells it once more
 * only once; beyond ten that wait the oldest gives way.
 *
 * @throws {Refused} `not_found` for another's callback or an event that is gone
 */
export function replayEvent(
  { store, clock }: Pick<Services, "store" | "clock">,
  { accountId, grantId, position }: ReplayEvent,
): Promise<void> {
  return store.transact(async (tx) => {
    const [callback, event] = await tx.getMany([
      tx.callbacks.ref(grantId),
      tx.accountEvents.ref(accountId, position),
    ]);
    if (callback?.accountId !== accountId || event === null) {
      return refuse({ code: "not_found", message: "Cannot find the event" });
    }
    const others = callback.replays.filter((each) => each !== position);
    tx.callbacks.save({
      ...callback,
      replays: [...others, position].slice(-REPLAYS_MAX),
      dueAtMs: callback.dueAtMs ?? clock.now(),
    });
  });
}
