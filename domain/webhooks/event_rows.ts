import type { Services, StartTimer } from "../ports.ts";
import { advance } from "../state_machine.ts";
import { isDue } from "../tasks/due.ts";
import type { WebhookHandler } from "./handlers.ts";
import {
  eventDueAtMs,
  type LookTrouble,
  pauseAfterMs,
  WEBHOOK_ATTEMPTS_MAX,
  WEBHOOK_EVENT_EDGES,
  WEBHOOK_KEPT_MS,
  WEBHOOK_LEASE_MS,
  type WebhookEvent,
} from "./webhook_event.ts";

/** What looking into events takes. */
export interface EventWork {
  services: Services;
  handlers: readonly WebhookHandler[];
  startTimer: StartTimer;
  /** Objects that a sweep looks at together; as many as usual if left out. */
  lanes?: number;
}

/** Rows of one commit: what it takes to read and check each of them. */
const ROWS_PER_COMMIT = 10;

/**
 * Changes rows in as few commits as the store takes; null leaves a row alone.
 *
 * @returns the rows that were changed, as they now stand
 */
async function changeRows(
  { store, clock }: Pick<Services, "store" | "clock">,
  eventIds: readonly string[],
  change: (event: WebhookEvent, nowMs: number) => WebhookEvent | null,
): Promise<WebhookEvent[]> {
  const changed: WebhookEvent[] = [];
  for (let at = 0; at < eventIds.length; at += ROWS_PER_COMMIT) {
    const some = eventIds.slice(at, at + ROWS_PER_COMMIT);
    const rows = await store.transact(async (tx) => {
      const found = await tx.getMany(
        some.map((id) => tx.webhookEvents.ref(id)),
      );
      const now = clock.now();
      const next = found.flatMap((event) =>
        (event && change(event, now)) ?? []
      );
      next.forEach((event) => tx.webhookEvents.save(event));
      return next;
    });
    changed.push(...rows);
  }
  return changed;
}

/**
 * Takes the events for oneself, those that are due and nobody else's. One that
 * has failed too often, the last time with the process that looked, waits for
 * its pause first.
 *
 * @returns the events that are now held
 */
export async function leaseEvents(
  services: Services,
  eventIds: readonly string[],
  owner: string,
): Promise<WebhookEvent[]> {
  const rows = await changeRows(services, eventIds, (event, now) => {
    if (!isDue(eventDueAtMs(event), now)) return null;
    const { attempts, leaseOwner } = event;
    // Whoever looked last died of it, or at least before it was written down.
    const died = leaseOwner !== null;
    if (died && attempts >= WEBHOOK_ATTEMPTS_MAX) {
      return afterFailure(event, now, "process_ended");
    }
    return {
      ...event,
      attempts: attempts + 1,
      leaseOwner: owner,
      dueAtMs: now + WEBHOOK_LEASE_MS,
    };
  });
  const held = rows.filter(({ leaseOwner }) => leaseOwner === owner);
  tellStuck(services, rows.filter(({ leaseOwner }) => leaseOwner === null));
  return held;
}

/** Keeps others away from the events for as long again. */
export async function renewLease(
  services: Services,
  held: readonly WebhookEvent[],
  owner: string,
): Promise<void> {
  await changeRows(services, idsOf(held), (event, now) => {
    if (event.leaseOwner !== owner) return null;
    return { ...event, dueAtMs: now + WEBHOOK_LEASE_MS };
  });
}

/**
 * Done, whoever holds the lease by now: a look that began after the event was
 * received has come to its end.
 */
export async function recordDone(
  services: Services,
  held: readonly WebhookEvent[],
): Promise<void> {
  await changeRows(services, idsOf(held), (event, now) => {
    if (event.state === "done") return null;
    return {
      ...event,
      state: advance(WEBHOOK_EVENT_EDGES, event.state, "done"),
      leaseOwner: null,
      dueAtMs: now,
      expiresAtMs: now + WEBHOOK_KEPT_MS,
    };
  });
}

/** To be looked into again later; more and more seldom, and never forgotten. */
export async function recordFailed(
  services: Services,
  held: readonly WebhookEvent[],
  { owner, trouble }: { owner: string; trouble: LookTrouble },
): Promise<void> {
  const failed = await changeRows(services, idsOf(held), (event, now) => {
    if (event.leaseOwner !== owner) return null;
    return afterFailure(event, now, trouble);
  });
  tellStuck(services, failed.filter(({ state }) => state === "stuck"));
}

/** Puts events off that nothing is registered for; it is no failed look. */
export async function postponeEvents(
  services: Services,
  eventIds: readonly string[],
  pauseMs: number,
): Promise<void> {
  await changeRows(services, eventIds, (event, now) => {
    if (!isDue(eventDueAtMs(event), now)) return null;
    return { ...event, leaseOwner: null, dueAtMs: now + pauseMs };
  });
}

function afterFailure(
  event: WebhookEvent,
  nowMs: number,
  trouble: LookTrouble,
): WebhookEvent {
  const isStuck = event.state === "waiting" &&
    event.attempts >= WEBHOOK_ATTEMPTS_MAX;
  const state = isStuck
    ? advance(WEBHOOK_EVENT_EDGES, event.state, "stuck")
    : event.state;
  const next = { ...event, state, leaseOwner: null, trouble };
  return { ...next, dueAtMs: nowMs + pauseAfterMs(next) };
}

function tellStuck(
  { log }: Pick<Services, "log">,
  events: readonly WebhookEvent[],
): void {
  for (const { id, type, attempts } of events) {
    log.error("webhook.stuck", { id, type, attempts });
  }
}

function idsOf(events: readonly WebhookEvent[]): string[] {
  return events.map(({ id }) => id);
}
