import type Stripe from "stripe";
import { STRIPE_API_VERSION } from "../stripe_event.ts";

/** What is around the object of every event but its name. */
export const ENVELOPE: Omit<Stripe.EventBase, "type" | "data"> = {
  id: "evt_1PaYl0AdEvEnT",
  object: "event",
  api_version: STRIPE_API_VERSION,
  created: 1_795_176_000,
  livemode: false,
  pending_webhooks: 1,
  request: { id: "req_PaYl0AdReQuEsT", idempotency_key: null },
};

/** Everything of an event that happened to an object but its name. */
export function told<T>(
  object: T,
): typeof ENVELOPE & { data: { object: T } } {
  return { ...ENVELOPE, data: { object } };
}

/**
 * An event of every name of that form that the package knows, each with its
 * whole object: what is missing, or of another type, stops the check.
 */
export type Payloads<Form extends string> = {
  readonly [T in Extract<Stripe.Event["type"], Form>]: Extract<
    Stripe.Event,
    { type: T }
  >;
};
