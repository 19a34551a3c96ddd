import {
  ProcessorRefused,
  ProcessorUncertain,
  TemporaryFailure,
} from "../failure.ts";
import type { Services, StartTimer } from "../ports.ts";
import { advance } from "../state_machine.ts";
import { changeRows } from "../tasks/lease.ts";
import {
  type Held,
  runTask,
  type TaskFamily,
  type TaskOutcome,
} from "../tasks/run_task.ts";
import { handlerOf, type WebhookHandler } from "./handlers.ts";
import {
  type EventTrouble,
  isEventDue,
  NO_HANDLER_PAUSE_MS,
  pauseAfterMs,
  WEBHOOK_ATTEMPTS_MAX,
  WEBHOOK_EVENT_EDGES,
  WEBHOOK_KEPT_MS,
  WEBHOOK_LEASE_MS,
  type WebhookEvent,
} from "./webhook_event.ts";

/** What processing events needs. */
export interface EventWork {
  services: Services;
  handlers: readonly WebhookHandler[];
  startTimer: StartTimer;
  /** Objects that a sweep syncs at a time; as many as usual if left out. */
  lanes?: number;
}

/** Events of one object, which one sync serves. */
export interface EventGroup {
  /** Names the object and the verb that syncs it. */
  key: string;
  sync: NonNullable<WebhookHandler["sync"]>;
  objectId: string;
  eventIds: string[];
}

/** Events that one sync serves at most; the next sync takes the others. */
export const GROUP_MAX = 50;
/** Objects that the pump syncs at a time; the sweep as many beside it. */
export const LANES = 16;

/** The result of a sync. */
type Ending = "done" | EventTrouble;

const EVENTS: Omit<TaskFamily<WebhookEvent, Ending>, "run"> = {
  table: ({ webhookEvents }) => webhookEvents,
  idOf: ({ id }) => id,
  leaseMs: WEBHOOK_LEASE_MS,
  isFree: isEventDue,
  // Whoever looked last died of it, or at least before it was written down.
  isUsedUp: ({ leaseOwner, attempts }) =>
    leaseOwner !== null && attempts >= WEBHOOK_ATTEMPTS_MAX,
  // What the processor tells waits for the end of a hold, as the sweep does.
  runsOnHold: () => false,
  held: (event, { owner, untilMs }) => ({
    ...event,
    attempts: event.attempts + 1,
    leaseOwner: owner,
    dueAtMs: untilMs,
  }),
  after(event, { held, ending, nowMs }) {
    if (ending === "done") return afterSuccess(event, nowMs);
    if (event.leaseOwner !== held.leaseOwner) return null;
    return afterFailure(event, nowMs, ending ?? "process_ended");
  },
  report: logStuck,
};

/** The group an event belongs to; null when no verb is registered for it. */
export function groupOf(
  handlers: readonly WebhookHandler[],
  { id, type, objectId }: Pick<WebhookEvent, "id" | "type" | "objectId">,
): EventGroup | null {
  const handler = handlerOf(handlers, type);
  if (handler === null || handler.sync === null) return null;
  const { prefix, sync } = handler;
  return { key: `${prefix}${objectId}`, sync, objectId, eventIds: [id] };
}

/** The events of groups of one object as one. */
export function joined(
  [group, ...others]: readonly [EventGroup, ...EventGroup[]],
): EventGroup {
  const eventIds = [group, ...others].flatMap((each) => each.eventIds);
  return { ...group, eventIds };
}

/**
 * Leases those of the events that are due, syncs their object once, and records
 * the result. A sync that fails is recorded as well, and not thrown.
 *
 * @throws {TemporaryFailure} when the store can't be reached; whatever was
 * leased is then due again once the lease has run out
 */
export function processEvents(
  { services, startTimer }: EventWork,
  { sync, objectId, eventIds }: EventGroup,
): Promise<void> {
  const run = async (_: Services, held: Held<WebhookEvent>) => {
    try {
      await sync(services, objectId);
      return "done";
    } catch (failure) {
      logFailed(services, held, failure);
      return eventTroubleOf(failure);
    }
  };
  return runTask<WebhookEvent, Ending>(services, { ...EVENTS, run }, eventIds, {
    startTimer,
    renewed: (event, held, untilMs) =>
      event.leaseOwner === held.leaseOwner
        ? { ...event, dueAtMs: untilMs }
        : null,
    failed: (error) =>
      services.log.error("webhook.not_renewed", { error: String(error) }),
  });
}

/** Puts an event off that nothing is registered for; it is no failed look. */
export async function postponeEvent(
  services: Services,
  { id, type }: WebhookEvent,
): Promise<void> {
  // Never marked done: a verb may be registered in the next version.
  services.log.error("webhook.no_handler", { id, type });
  await changeRows(services, EVENTS, [id], (event, nowMs) => {
    if (!EVENTS.isFree(event, nowMs)) return null;
    const dueAtMs = nowMs + NO_HANDLER_PAUSE_MS;
    return { ...event, leaseOwner: null, dueAtMs };
  });
}

/**
 * Marks the event done, whoever holds the lease by now: a sync that began after
 * the event was received has finished.
 */
function afterSuccess(event: WebhookEvent, nowMs: number): WebhookEvent | null {
  if (event.state === "done") return null;
  return {
    ...event,
    state: advance(WEBHOOK_EVENT_EDGES, event.state, "done"),
    leaseOwner: null,
    dueAtMs: nowMs,
    expiresAtMs: nowMs + WEBHOOK_KEPT_MS,
  };
}

/** Puts the event off to a later retry: ever longer pauses, without an end. */
function afterFailure(
  event: WebhookEvent,
  nowMs: number,
  trouble: EventTrouble,
): WebhookEvent {
  const isStuck = event.state === "waiting" &&
    event.attempts >= WEBHOOK_ATTEMPTS_MAX;
  const state = isStuck
    ? advance(WEBHOOK_EVENT_EDGES, event.state, "stuck")
    : event.state;
  const next = { ...event, state, leaseOwner: null, trouble };
  return { ...next, dueAtMs: nowMs + pauseAfterMs(next) };
}

function eventTroubleOf(failure: unknown): EventTrouble {
  if (failure instanceof ProcessorUncertain) return "processor_uncertain";
  if (failure instanceof ProcessorRefused) return "processor_refused";
  return failure instanceof TemporaryFailure ? "store" : "unexpected";
}

function logFailed(
  { log }: Services,
  held: readonly WebhookEvent[],
  failure: unknown,
): void {
  for (const { id, type, attempts } of held) {
    const error = String(failure);
    log.info("webhook.failed", { id, type, attempts, error });
  }
}

function logStuck(
  { log }: Services,
  { change }: TaskOutcome<WebhookEvent, Ending>,
): void {
  if (change?.after.state !== "stuck") return;
  const { id, type, attempts } = change.after;
  log.error("webhook.stuck", { id, type, attempts });
}

/** Logs that the result of events was not recorded; they are retried once their
 * lease has run out. */
export function logUnrecorded(
  { services }: Pick<EventWork, "services">,
  eventIds: readonly string[],
  error: unknown,
): void {
  const [id] = eventIds;
  const fields = { id, events: eventIds.length, error: String(error) };
  services.log.error("webhook.unrecorded", fields);
}
