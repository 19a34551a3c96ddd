import { waitAtMost } from "../operations/wait_at_most.ts";
import type { EventWork } from "./event_rows.ts";
import {
  type EventGroup,
  GROUP_MAX,
  groupOf,
  LANES,
  lookInto,
  tellUnrecorded,
} from "./look_into.ts";
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
 * A pump beside the sweep: what it can't take, or what a crash takes from it,
 * is still stored and found by `sweepEvents()`. It looks at several objects at
 * a time and never twice at one: what is told of an object during a look at it
 * is served by the next.
 */
export function createEventPump(work: EventWork): EventPump {
  const waiting = new WaitingGroups();
  const busy = new Set<string>();
  const looks = new Set<Promise<void>>();
  let closed = false;

  function next(): void {
    while (!closed && busy.size < LANES) {
      const group = waiting.take(busy);
      if (group === null) return;
      busy.add(group.key);
      const look = run(group).finally(() => looks.delete(look));
      looks.add(look);
    }
  }

  async function run(group: EventGroup): Promise<void> {
    try {
      await lookInto(work, group);
    } catch (error) {
      tellUnrecorded(work, group, error);
    }
    busy.delete(group.key);
    next();
  }

  return {
    offer(event) {
      const group = groupOf(work.handlers, event);
      if (closed || group === null || waiting.size >= WAITING_MAX) return;
      waiting.add(group);
      next();
    },
    async close(graceMs = STOP_LOOKS_MS) {
      closed = true;
      await waitAtMost(Promise.all(looks), graceMs, work.startTimer);
    },
  };
}

/** Groups in the order in which their objects were first told of. */
class WaitingGroups {
  readonly #groups = new Map<string, EventGroup>();
  /** Events in all groups. */
  size = 0;

  add(group: EventGroup): void {
    const known = this.#groups.get(group.key);
    if (known === undefined) this.#groups.set(group.key, group);
    else known.eventIds.push(...group.eventIds);
    this.size += group.eventIds.length;
  }

  /** The longest waiting group, or its beginning, that nobody is busy with. */
  take(busy: ReadonlySet<string>): EventGroup | null {
    for (const [key, group] of this.#groups) {
      if (busy.has(key)) continue;
      const eventIds = group.eventIds.splice(0, GROUP_MAX);
      if (group.eventIds.length === 0) this.#groups.delete(key);
      this.size -= eventIds.length;
      return { ...group, eventIds };
    }
    return null;
  }
}
