/**
 * Notifications as the processor sends them: snapshot events of the pinned API
 * version, typed by its package and signed by it.
 *
 * @module
 */
import Stripe from "stripe";
import type { EventType } from "./event_types.ts";

/** The event of that name, as the package knows it. */
export type StripeEvent<T extends EventType> = Extract<
  Stripe.Event,
  { type: T }
>;

/** The same with as much of its object as a test is about. */
export type EventPayload<T extends EventType> = Omit<StripeEvent<T>, "data"> & {
  data: { object: Partial<StripeEvent<T>["data"]["object"]> };
};

/** The version that the pinned package is made for. */
export const STRIPE_API_VERSION: typeof Stripe.API_VERSION =
  "2026-10-28.endive";

/** What a test may say of an event. */
export interface EventChanges<T extends EventType> {
  id?: string;
  /** Epoch seconds. */
  created?: number;
  livemode?: boolean;
  /** The connected account it happened to. */
  account?: string;
  object?: Partial<StripeEvent<T>["data"]["object"]>;
}

/** An event of a test account that happened to `obj_1` of its kind. */
export function eventPayload<T extends EventType>(
  type: T,
  { object, ...changes }: EventChanges<T> = {},
): EventPayload<T> {
  const payload = {
    id: "evt_1",
    object: "event",
    api_version: STRIPE_API_VERSION,
    created: 1_795_176_000,
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    data: { object: object ?? { id: "obj_1", object: kindOf(type) } },
    ...changes,
  };
  // One name's type can't be followed through the union of all events.
  return payload as unknown as EventPayload<T>;
}

/** What an object of the event says it is: `identity.verification_session`. */
function kindOf(type: EventType): string {
  const prefix = type.slice(0, type.lastIndexOf("."));
  return prefix === "charge.dispute" ? "dispute" : prefix;
}

/** The header that signs a body, as of that moment. */
export function signatureOf(
  payload: string,
  secret: string,
  atMs: number,
): Promise<string> {
  return Stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret,
    timestamp: Math.floor(atMs / 1_000),
  });
}
