import { sweep } from "../tasks/sweep.ts";
import {
  type EventGroup,
  type EventWork,
  GROUP_MAX,
  groupOf,
  LANES,
  logUnrecorded,
  postponeEvent,
  processEvents,
} from "./process_events.ts";
import type { WebhookEvent } from "./webhook_event.ts";

/** Events that are listed at a time. */
const PAGE = 500;
/** Lists of one run; the next run goes on from there. */
const PAGES_MAX = 100;

/**
 * Processes the events that are due, longest due first, as far as one run goes:
 * those whose last attempt failed, those a crash left behind, and those the pump
 * of no process could take. Safe to run twice, in two isolates, and late.
 *
 * @throws when results could not be recorded
 */
export async function sweepEvents(work: EventWork): Promise<void> {
  const { store, clock } = work.services;
  const unrecorded = await sweep<EventGroup | WebhookEvent>(clock, {
    due: async (nowMs) =>
      grouped(work, await store.listDue("events", nowMs, { limit: PAGE })),
    rounds: PAGES_MAX,
    lanes: work.lanes ?? LANES,
    attempt: (item) =>
      "sync" in item
        ? processEvents(work, item)
        : postponeEvent(work.services, item),
    failed: (item, error) =>
      logUnrecorded(work, "sync" in item ? item.eventIds : [item.id], error),
  });
  if (unrecorded > 0) {
    throw new Error(`Cannot record the looks at ${unrecorded} objects`);
  }
}

/** Groups that one sync serves, and the events that no verb is registered for. */
function grouped(
  { handlers }: EventWork,
  due: readonly WebhookEvent[],
): (EventGroup | WebhookEvent)[] {
  const open = new Map<string, EventGroup>();
  return due.flatMap((event): (EventGroup | WebhookEvent)[] => {
    const group = groupOf(handlers, event);
    if (group === null) return [event];
    const same = open.get(group.key);
    if (same !== undefined && same.eventIds.length < GROUP_MAX) {
      same.eventIds.push(event.id);
      return [];
    }
    open.set(group.key, group);
    return [group];
  });
}
