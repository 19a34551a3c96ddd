import { workThrough } from "../operations/work_through.ts";
import { type EventWork, postponeEvents } from "./event_rows.ts";
import {
  type EventGroup,
  GROUP_MAX,
  groupOf,
  LANES,
  lookInto,
  tellUnrecorded,
} from "./look_into.ts";
import { NO_HANDLER_PAUSE_MS, type WebhookEvent } from "./webhook_event.ts";

/** Events that are listed at a time. */
const PAGE = 500;
/** Lists of one run; the next run goes on from there. */
const PAGES_MAX = 100;
/** No look is begun later than this in a run, so that runs hardly overlap. */
const BEGIN_WITHIN_MS = 45_000;

/**
 * Looks into the events that are due, longest due first, as far as one run
 * goes: those whose look failed, those a crash left behind, and those the pump
 * of no process could take. Safe to run twice, in two isolates, and late. One
 * object's trouble never keeps the others waiting.
 *
 * @throws when what came of looks could not be written down
 */
export async function sweepEvents(work: EventWork): Promise<void> {
  const { store, clock } = work.services;
  const untilMs = clock.now() + BEGIN_WITHIN_MS;
  for (let page = 0; page < PAGES_MAX && clock.now() <= untilMs; page++) {
    const due = await store.listDue("events", clock.now(), { limit: PAGE });
    if (due.length === 0) return;
    const { groups, unhandled } = grouped(work, due);
    await postpone(work, unhandled);
    // Those rows are still due: listing them again would have no end.
    const unrecorded = await lookIntoAll(work, groups, untilMs);
    if (unrecorded > 0) {
      throw new Error(`Cannot record the looks at ${unrecorded} objects`);
    }
  }
}

function grouped(
  { handlers }: EventWork,
  due: readonly WebhookEvent[],
): { groups: EventGroup[]; unhandled: WebhookEvent[] } {
  const groups = new Map<string, EventGroup[]>();
  const unhandled: WebhookEvent[] = [];
  for (const event of due) {
    const group = groupOf(handlers, event);
    if (group === null) {
      unhandled.push(event);
      continue;
    }
    const same = groups.get(group.key) ?? [];
    const last = same.at(-1);
    if (last !== undefined && last.eventIds.length < GROUP_MAX) {
      last.eventIds.push(event.id);
    } else groups.set(group.key, [...same, group]);
  }
  return { groups: [...groups.values()].flat(), unhandled };
}

/** Never marked done: a verb may be registered in the next version. */
async function postpone(
  { services }: EventWork,
  events: readonly WebhookEvent[],
): Promise<void> {
  for (const { id, type } of events) {
    services.log.error("webhook.no_handler", { id, type });
  }
  const eventIds = events.map(({ id }) => id);
  await postponeEvents(services, eventIds, NO_HANDLER_PAUSE_MS);
}

/** Answers how many looks left nothing written. */
async function lookIntoAll(
  work: EventWork,
  groups: readonly EventGroup[],
  untilMs: number,
): Promise<number> {
  const { clock } = work.services;
  const limits = {
    lanes: work.lanes ?? LANES,
    beginWithinMs: untilMs - clock.now(),
  };
  let unrecorded = 0;
  await workThrough(clock, groups, limits, async (group) => {
    try {
      await lookInto(work, group);
    } catch (error) {
      tellUnrecorded(work, group, error);
      unrecorded += 1;
    }
  });
  return unrecorded;
}
