import { createPump } from "../tasks/pump.ts";
import {
  type EventGroup,
  type EventWork,
  GROUP_MAX,
  groupOf,
  joined,
  LANES,
  logUnrecorded,
  processEvents,
} from "./process_events.ts";
import type { WebhookEvent } from "./webhook_event.ts";

/** Events that wait in memory; the others wait for the next sweep. */
const WAITING_MAX = 20_000;
/** How long a stop waits for looks under way; what they did stands anyway. */
export const STOP_LOOKS_MS = 5_000;

/** Looks into events in this process as soon as they are stored. */
export interface EventPump {
  /** Takes note of a stored event; never waits and never throws. */
  offer(event: Pick<WebhookEvent, "id" | "type" | "objectId">): void;
  /** Begins no further look and waits for those under way, so long at most. */
  close(graceMs?: number): Promise<void>;
}

/**
 * A pump that looks at several objects at a time and never twice at one: what
 * is told of an object during a look at it is served by the next.
 */
export function createEventPump(work: EventWork): EventPump {
  const { handlers, startTimer } = work;
  const pump = createPump<EventGroup>(
    {
      lanes: LANES,
      waitingMax: WAITING_MAX,
      nameOf: ({ key }) => key,
      togetherMax: GROUP_MAX,
      grace: { ms: STOP_LOOKS_MS, startTimer },
    },
    (groups) => processEvents(work, joined(groups)),
    (groups, error) => logUnrecorded(work, joined(groups).eventIds, error),
  );
  return {
    offer(event) {
      const group = groupOf(handlers, event);
      if (group !== null) pump.offer([group]);
    },
    close: (graceMs) => pump.close(graceMs),
  };
}
