import {
  createEventPump,
  type EventPump,
} from "../../../../domain/webhooks/event_pump.ts";
import { WEBHOOK_HANDLERS } from "../../../../domain/webhooks/handlers.ts";
import { createWebhookVerifier } from "../../../../processor/webhook_verifier.ts";
import { webhookSurface } from "../../../../routes/auth/webhooks/webhook_surface.ts";
import { renderPublic } from "../../../../routes/errors/public_surface.ts";
import { routeTable } from "../../../../routes/route_table.ts";
import {
  type EventWorld,
  openEventWorld,
} from "../../../domain/webhooks/event_world.ts";
import { askHost, bindings } from "../../../support/bindings.ts";
import type { EventType } from "../../../support/event_types.ts";
import {
  type EventPayload,
  signatureOf,
} from "../../../support/stripe_event.ts";

/** The endpoint's secrets: the new one, and the old one that still signs. */
export const SECRETS = ["whsec_new_of_the_test", "whsec_old_of_the_test"];

/** How a delivery is sent; signed at this moment with the first secret. */
export interface Delivery {
  secret?: string;
  /** When it was signed, seconds from now. */
  signedS?: number;
  /** Instead of the signature; null sends none. */
  signature?: string | null;
  /** What is sent instead of what was signed. */
  sent?: BodyInit;
}

/** The webhook endpoint without a network. Every verb only takes note. */
export interface WebhookWorld extends EventWorld {
  pump: EventPump;
  /** Signs a body and posts it. */
  deliver(body: string, delivery?: Delivery): Promise<Response>;
  deliverEvent(
    payload: EventPayload<EventType>,
    delivery?: Delivery,
  ): Promise<Response>;
  ask(path: string, init?: RequestInit): Promise<Response>;
}

/** Opens an endpoint that has received nothing. */
export async function openWebhookWorld(): Promise<WebhookWorld> {
  const world = await openEventWorld();
  const { clock, log, look: { look } } = world;
  const handlers = WEBHOOK_HANDLERS.map((line) => ({ ...line, look }));
  const { services, startTimer } = world.work;
  const work = { services, handlers, startTimer };
  const pump = createEventPump(work);
  const host = routeTable({ settings: services.settings, log }, [
    webhookSurface({
      services,
      verifier: createWebhookVerifier({
        secrets: SECRETS,
        nowMs: () => clock.now(),
      }),
      reception: { handlers, livemode: false },
      pump,
    }),
    { prefix: "", routes: [], answers: { refused: renderPublic } },
  ]);
  const ask: WebhookWorld["ask"] = (path, init) =>
    askHost(host, `${services.settings.authUrl}${path}`, init, bindings());
  const deliver: WebhookWorld["deliver"] = async (body, delivery = {}) => {
    const { secret = SECRETS[0] ?? "", signedS = 0, sent = body } = delivery;
    const atMs = clock.now() + signedS * 1_000;
    const signature = delivery.signature === undefined
      ? await signatureOf(body, secret, atMs)
      : delivery.signature;
    const headers = new Headers({ "content-type": "application/json" });
    if (signature !== null) headers.set("stripe-signature", signature);
    return await ask("/webhooks/stripe", {
      method: "POST",
      headers,
      body: sent,
    });
  };
  return {
    ...world,
    work,
    pump,
    ask,
    deliver,
    deliverEvent: (payload, delivery) =>
      deliver(JSON.stringify(payload), delivery),
    async [Symbol.asyncDispose]() {
      await pump.close();
      await world[Symbol.asyncDispose]();
    },
  };
}
