/**
 * Where a connection is told of events by a request of ours: its address, how
 * far it has been told, and how the last requests ended.
 *
 * @module
 */
import { HOUR_MS } from "../day.ts";
import type { EventType } from "../events/event.ts";
import type { Grant, Scope } from "../oauth/grant.ts";
import { isDue } from "../tasks/due.ts";

/** Addresses of an account, which one commit reads. */
export const CALLBACKS_MAX = 5;
/** Nobody else tells the same address meanwhile; a request takes 5 seconds. */
export const CALLBACK_LEASE_MS = 30_000;
/** Pauses between the attempts for one event. */
export const CALLBACK_PAUSES = { firstMs: 5_000, maxMs: HOUR_MS };
/** An address that has taken nothing for so long is switched off. */
export const CALLBACK_GIVEN_UP_MS = 24 * HOUR_MS;
/** A secret that was replaced still signs for so long. */
export const SECRET_OVERLAP_MS = 24 * HOUR_MS;
/** Deliveries that are kept to be shown. */
const DELIVERIES_KEPT = 20;
/** Events that wait to be told again. */
export const REPLAYS_MAX = 10;

/** A secret that signs: it is made of these, and stored nowhere. */
export interface CallbackSecret {
  /** Random, and no secret itself. */
  name: string;
  /** The key of the service that it is made with. */
  keyId: string;
  /** Null for the present one. */
  endsAtMs: number | null;
}

/** One request of ours, as the owner sees it. */
export interface Delivery {
  position: number;
  type: EventType;
  atMs: number;
  /** What was answered; null where nothing was. */
  status: number | null;
}

/** Whether an answer says that the message was taken. */
export function isTaken(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** `failing`: it took nothing for a day. `secret_gone`: no key makes its secret. */
export type OffReason = "failing" | "secret_gone";

/** The callback of a connection. */
export interface Callback {
  grantId: string;
  accountId: string;
  url: string;
  /** Absent in rows of earlier versions. */
  setAtMs?: number;
  /** Its owner set it in the browser, and no agent was told its secret. */
  isOwners?: true;
  /**
   * Of the token that set it: no more is told than that could read, whatever its
   * connection is allowed later. Absent where the owner did.
   */
  scopes?: readonly Scope[];
  /** The newest first; the second one while both sign. */
  secrets: readonly CallbackSecret[];
  /** Null while it is told. */
  off: OffReason | null;
  /** Told, or passed over, through here. */
  position: number;
  /** Places that are to be told again. */
  replays: readonly number[];
  /** Not tried before this moment, or until its lease ends; null: nothing to tell. */
  dueAtMs: number | null;
  leaseOwner: string | null;
  /** Attempts in vain since something was taken, and since when. */
  failures: number;
  failingSinceMs: number | null;
  /** The newest first. */
  deliveries: readonly Delivery[];
  /** Once its connection is over; absent before. */
  expiresAtMs?: number;
}

/** Whether it was set by whom the connection trusts no more, and is told nothing. */
export function isOutdated(
  { setAtMs = 0, isOwners }: Callback,
  { trustedSinceMs = 0 }: Pick<Grant, "trustedSinceMs">,
): boolean {
  return isOwners !== true && setAtMs < trustedSinceMs;
}

/** When something is to be told; null for never. */
export function callbackDueAtMs({ dueAtMs, off }: Callback): number | null {
  return off === null ? dueAtMs : null;
}

/**
 * Whether its turn has come, with its pauses by a clock that is right. What has
 * a lease has a shorter one.
 */
export function isCallbackDue(callback: Callback, nowMs: number): boolean {
  const withinMs = callback.leaseOwner === null
    ? CALLBACK_PAUSES.maxMs
    : CALLBACK_LEASE_MS;
  return isDue(callbackDueAtMs(callback), nowMs, withinMs);
}

/** The callback after a request of ours. */
export function withDelivery(
  callback: Callback,
  delivery: Delivery,
): Callback {
  const deliveries = [delivery, ...callback.deliveries]
    .slice(0, DELIVERIES_KEPT);
  return { ...callback, deliveries };
}
