import {
  ProcessorRefused,
  ProcessorUncertain,
  TemporaryFailure,
} from "../failure.ts";
import { invariant } from "../invariant.ts";
import type { Services } from "../ports.ts";
import {
  type EventWork,
  leaseEvents,
  recordDone,
  recordFailed,
  renewLease,
} from "./event_rows.ts";
import { handlerOf, type WebhookHandler } from "./handlers.ts";
import {
  type LookTrouble,
  WEBHOOK_LEASE_MS,
  type WebhookEvent,
} from "./webhook_event.ts";

/** Events of one object, which one look serves. */
export interface EventGroup {
  /** Names the object and the verb that looks at it. */
  key: string;
  handler: WebhookHandler;
  objectId: string;
  eventIds: string[];
}

/** Events that one look serves at most; the others take the next. */
export const GROUP_MAX = 50;
/** Objects that one process looks at together, in each of its two ways. */
export const LANES = 16;

/** How often a lease is renewed during a look that takes long. */
const RENEW_MS = WEBHOOK_LEASE_MS / 3;

/** Who is to look into an event; null when nothing is registered for it. */
export function groupOf(
  handlers: readonly WebhookHandler[],
  { id, type, objectId }: Pick<WebhookEvent, "id" | "type" | "objectId">,
): EventGroup | null {
  const handler = handlerOf(handlers, type);
  if (handler === null || handler.look === null) return null;
  const key = `${handler.prefix}${objectId}`;
  return { key, handler, objectId, eventIds: [id] };
}

/**
 * Looks at an object once for all of these events that are due and nobody
 * else's, and writes down what came of it. That the look itself fails is
 * written down too and thrown by nobody.
 *
 * @throws {TemporaryFailure} when the store can't be reached; whatever was
 * leased is then due again once the lease has run out
 */
export async function lookInto(
  work: EventWork,
  group: EventGroup,
): Promise<void> {
  const { services } = work;
  const { look } = group.handler;
  invariant(look !== null, "a group is made where a verb is registered");
  // What the processor tells waits for the end of a hold, as the sweep does.
  if (await services.store.currentHold() !== null) return;
  const owner = services.ids.next("lease");
  const held = await leaseEvents(services, group.eventIds, owner);
  if (held.length === 0) return;
  const renewal = keepRenewing(work, held, owner);
  let failure: unknown = null;
  try {
    await look(services, group.objectId);
  } catch (error) {
    failure = error ?? new Error("Cannot look at the object");
  } finally {
    await renewal.stop();
  }
  if (failure === null) return await recordDone(services, held);
  tellFailed(services, held, failure);
  await recordFailed(services, held, { owner, trouble: troubleOf(failure) });
}

/** Renews the lease again and again until it is stopped. */
function keepRenewing(
  { services, startTimer }: EventWork,
  held: readonly WebhookEvent[],
  owner: string,
): { stop(): Promise<void> } {
  let stopped = false;
  let underWay: Promise<void> = Promise.resolve();
  let cancel = startTimer(renew, RENEW_MS);
  function renew(): void {
    underWay = renewLease(services, held, owner).catch((error) => {
      // Two more tries come before the lease runs out.
      services.log.error("webhook.not_renewed", { error: String(error) });
    }).then(() => {
      if (!stopped) cancel = startTimer(renew, RENEW_MS);
    });
  }
  return {
    async stop() {
      stopped = true;
      cancel();
      await underWay;
    },
  };
}

function troubleOf(failure: unknown): LookTrouble {
  if (failure instanceof ProcessorUncertain) return "processor_uncertain";
  if (failure instanceof ProcessorRefused) return "processor_refused";
  return failure instanceof TemporaryFailure ? "store" : "unexpected";
}

function tellFailed(
  { log }: Pick<Services, "log">,
  held: readonly WebhookEvent[],
  failure: unknown,
): void {
  for (const { id, type, attempts } of held) {
    const error = String(failure);
    log.error("webhook.failed", { id, type, attempts, error });
  }
}

/** Says that rows are left to run out of their lease, or never had one. */
export function tellUnrecorded(
  { services }: Pick<EventWork, "services">,
  { eventIds }: EventGroup,
  error: unknown,
): void {
  const [id] = eventIds;
  const fields = { id, events: eventIds.length, error: String(error) };
  services.log.error("webhook.unrecorded", fields);
}
