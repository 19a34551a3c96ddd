import { HOUR_MS, MINUTE_MS } from "../day.ts";
import { createHash } from "node:crypto";
import { backOffMs } from "../tasks/back_off.ts";
import { isDue } from "../tasks/due.ts";
import type { TransitionTable } from "../state_machine.ts";
import type { VerifiedEvent } from "./verifier.ts";

/**
 * Whether an event was processed: `waiting` for it, `done`, or `stuck` when so
 * many attempts have failed that a person is told. A stuck one is still retried
 * now and then.
 */
export type WebhookEventState = "waiting" | "stuck" | "done";

/** Every change of state there is. */
export const WEBHOOK_EVENT_EDGES: TransitionTable<WebhookEventState> = {
  waiting: ["stuck", "done"],
  stuck: ["done"],
  done: [],
};

/**
 * Why an attempt failed, as far as a person can do something about it: the
 * processor gave no definite answer or refused, the store did not answer, the
 * process ended during it, or something nobody had thought of.
 */
export type EventTrouble =
  | "processor_uncertain"
  | "processor_refused"
  | "store"
  | "process_ended"
  | "unexpected";

/**
 * A notification of the processor. What it said of the object is not kept: a sync
 * asks for the object as it is then.
 */
export interface WebhookEvent {
  /** The processor's own id, `evt_…`: one row however often it is delivered. */
  id: string;
  /** Such as `invoice.paid`. */
  type: string;
  /** What it happened to, and of which kind that is. */
  objectId: string;
  objectType: string;
  /** When the processor says that it happened. */
  createdAtMs: number;
  receivedAtMs: number;
  state: WebhookEventState;
  /** Attempts begun. */
  attempts: number;
  /** Not processed before this moment; during a sync, when its lease ends. */
  dueAtMs: number;
  /** Who has the lease until `dueAtMs`; null outside of an attempt. */
  leaseOwner: string | null;
  /** Why the last attempt failed that did; absent while none has. */
  trouble?: EventTrouble;
  /** Set once it is done: nothing that waits is ever forgotten. */
  expiresAtMs: number | null;
}

/** How long nobody else takes it up; renewed while a sync goes on. */
export const WEBHOOK_LEASE_MS = 60_000;
/** How long a done event is kept, so that a late delivery is known. */
export const WEBHOOK_KEPT_MS = 30 * 86_400_000;

/** Pauses after failed attempts grow so. */
const PAUSES = { firstMs: MINUTE_MS, maxMs: HOUR_MS };
/** Between two attempts at a stuck event. */
const STUCK_PAUSE_MS = 6 * HOUR_MS;
/** Until an event that nothing is registered for is seen again. */
export const NO_HANDLER_PAUSE_MS = HOUR_MS;

/** Attempts that fail before a person is told: in four to eight hours. */
export const WEBHOOK_ATTEMPTS_MAX = 14;

/** A row for an event that was just received. */
export function newWebhookEvent(
  { id, type, objectId, objectType, createdAtMs }: VerifiedEvent & {
    objectId: string;
    objectType: string;
  },
  nowMs: number,
): WebhookEvent {
  return {
    id,
    type,
    objectId,
    objectType,
    createdAtMs,
    receivedAtMs: nowMs,
    state: "waiting",
    attempts: 0,
    dueAtMs: nowMs,
    leaseOwner: null,
    expiresAtMs: null,
  };
}

/** When it is processed next; null once it is done. */
export function eventDueAtMs({ state, dueAtMs }: WebhookEvent): number | null {
  return state === "done" ? null : dueAtMs;
}

/** Whether its turn has come, with leases and pauses by a clock that is right. */
export function isEventDue(event: WebhookEvent, nowMs: number): boolean {
  const withinMs = event.leaseOwner === null
    ? STUCK_PAUSE_MS
    : WEBHOOK_LEASE_MS;
  return isDue(eventDueAtMs(event), nowMs, withinMs);
}

/**
 * The pause after a failed attempt: twice as long each time, between half of
 * that and all of it, so that what failed together does not come back together.
 */
export function pauseAfterMs({ id, state, attempts }: WebhookEvent): number {
  const fullMs = state === "stuck"
    ? STUCK_PAUSE_MS
    : backOffMs(attempts, PAUSES);
  return Math.ceil(fullMs * (1 + jitterOf(`${id}:${attempts}`)) / 2);
}

/** From 0 up to 1, always the same for the same text. */
function jitterOf(text: string): number {
  const digest = createHash("sha256").update(text).digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}
