import {
  createEventPump,
  type EventPump,
} from "../../../../domain/webhooks/event_pump.ts";
import { WEBHOOK_HANDLERS } from "../../../../domain/webhooks/handlers.ts";
import {
  type EventWorld,
  openEventWorld,
} from "../../../domain/webhooks/event_world.ts";
import type { EventType } from "../../../support/event_types.ts";
import type { EventPayload } from "../../../support/stripe_event.ts";
import { type Delivery, type Endpoint, openEndpoint } from "./endpoint.ts";

export { type Delivery, SECRETS } from "./endpoint.ts";

/** The webhook endpoint without a network. Every verb only takes note. */
export interface WebhookWorld extends EventWorld, Endpoint {
  pump: EventPump;
  deliverEvent(
    payload: EventPayload<EventType>,
    delivery?: Delivery,
  ): Promise<Response>;
}

/** Opens an endpoint that has received nothing. */
export async function openWebhookWorld(): Promise<WebhookWorld> {
  const world = await openEventWorld();
  const { look } = world.look;
  const handlers = WEBHOOK_HANDLERS.map((line) => ({ ...line, sync: look }));
  const { services, startTimer } = world.work;
  const work = { services, handlers, startTimer };
  const pump = createEventPump(work);
  const endpoint = openEndpoint(services, handlers, pump);
  return {
    ...world,
    ...endpoint,
    work,
    pump,
    deliverEvent: (payload, delivery) =>
      endpoint.deliver(JSON.stringify(payload), delivery),
    async [Symbol.asyncDispose]() {
      await pump.close();
      await world[Symbol.asyncDispose]();
    },
  };
}
