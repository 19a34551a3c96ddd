import { refuseWhileOnHold } from "../hold/gate.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { type EventWork, groupOf, processEvents } from "./process_events.ts";
import { isEventDue, type WebhookEvent } from "./webhook_event.ts";

/**
 * Processes an event at once by an operator's decision, with the verb that the
 * job calls. What is done, or leased, stays as it is; an event that this version
 * knows no verb for waits on.
 *
 * @returns the event as it then stands
 * @throws {Refused} `not_found` for an event nobody ever stored
 * @throws {TemporaryFailure} when the store can't be reached, or is on hold
 */
export async function retryEvent(
  work: EventWork,
  { eventId }: { eventId: string },
): Promise<WebhookEvent> {
  const { services, handlers } = work;
  await refuseWhileOnHold(services);
  const event = await makeDue(services, eventId);
  const group = groupOf(handlers, event);
  if (group === null || event.state === "done") return event;
  await processEvents(work, group);
  return await services.store.webhookEvents.find(eventId) ?? event;
}

/**
 * An event of the processor.
 *
 * @throws {Refused} `not_found` for an event nobody ever stored
 */
export async function findEvent(
  { store }: Pick<Services, "store">,
  { eventId }: { eventId: string },
): Promise<WebhookEvent> {
  return await store.webhookEvents.find(eventId) ?? refuseUnknown(eventId);
}

function refuseUnknown(eventId: string): never {
  const message = `Cannot find the event ${JSON.stringify(eventId)}`;
  refuse({ code: "not_found", message });
}

/** Nobody waits for its pause any longer. */
function makeDue(
  { store, clock }: Pick<Services, "store" | "clock">,
  eventId: string,
): Promise<WebhookEvent> {
  return store.transact(async (tx) => {
    const now = clock.now();
    const event = await tx.webhookEvents.find(eventId);
    if (event === null) refuseUnknown(eventId);
    const isHeld = event.leaseOwner !== null && !isEventDue(event, now);
    if (event.state === "done" || isHeld) return event;
    const due = { ...event, leaseOwner: null, dueAtMs: now };
    tx.webhookEvents.save(due);
    return due;
  });
}
