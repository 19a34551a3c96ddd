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
/** How long a stop waits for syncs under way; what they wrote stands anyway. */
export const STOP_LOOKS_MS = 5_000;

/** Processes events in this process as soon as they are stored. */
export interface EventPump {
  /** Takes note of a stored event; never waits and never throws. */
  offer(event: Pick<WebhookEvent, "id" | "type" | "objectId">): void;
  /** Begins no further sync and waits for those under way, so long at most. */
  close(graceMs?: number): Promise<void>;
}

/**
 * A pump that syncs several objects at a time and none twice at once: events that
 * come while their object is synced are served by the next sync.
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
