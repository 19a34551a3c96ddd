/**
 * Every event that leads anywhere, with the whole payload that the pinned API
 * version sends, through the real route to the real verb.
 */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import Stripe from "stripe";
import {
  handlerOf,
  WEBHOOK_HANDLERS,
} from "../../../../domain/webhooks/handlers.ts";
import { sweepEvents } from "../../../../domain/webhooks/sweep_events.ts";
import { EVENT_TYPES } from "../../../support/event_types.ts";
import { ManualTimer } from "../../../support/timer.ts";
import {
  type LeadingType,
  payloadOf,
  payloadsOf,
} from "../../../support/webhook_payloads/payloads.ts";
import { openEndpoint, SECRETS } from "./endpoint.ts";
import { openWebhookWorld } from "./webhook_world.ts";
import { type Happened, WHAT_HAPPENED } from "./what_happened.ts";

const LEADING = EVENT_TYPES.filter((type): type is LeadingType =>
  handlerOf(WEBHOOK_HANDLERS, type) !== null
);

/** It happened to a preview, which is no invoice yet. */
const TOLD_IN_VAIN: readonly LeadingType[] = ["invoice.upcoming"];

Deno.test("there is a payload of every event that leads anywhere, and of no other", () => {
  assertEquals(Object.keys(payloadsOf("obj_1")).toSorted(), [
    ...LEADING.toSorted(),
  ]);
});

Deno.test("every payload is of the API version that the package is made for", () => {
  for (const [type, payload] of Object.entries(payloadsOf("obj_1"))) {
    assertEquals(payload.type, type);
    assertEquals(payload.api_version, Stripe.API_VERSION);
    assertEquals(payload.data.object.id, "obj_1");
  }
});

for (const type of LEADING) {
  Deno.test(`POST /webhooks/stripe takes ${type} in full, and its verb brings our rows in line once`, async () => {
    const prefix = handlerOf(WEBHOOK_HANDLERS, type)?.prefix ?? "";
    const happens = WHAT_HAPPENED[prefix];
    assert(happens !== undefined, `something happened that tells of ${type}`);
    await using happened = await happens();
    await assertTakenOnce(type, happened);
  });
}

async function assertTakenOnce(
  type: LeadingType,
  happened: Happened,
): Promise<void> {
  const { services, objectId, then } = happened;
  const inVain = TOLD_IN_VAIN.includes(type);
  const before = await happened.known();
  assertNotEquals(before, then);
  const work = {
    services,
    handlers: WEBHOOK_HANDLERS,
    startTimer: new ManualTimer().start,
  };
  const endpoint = openEndpoint(services, WEBHOOK_HANDLERS, { offer() {} });
  const payload = payloadOf(type, inVain ? "upcoming_in_1" : objectId);
  const body = JSON.stringify(payload);
  for (let delivery = 0; delivery < 2; delivery++) {
    const answer = await endpoint.deliver(body);
    assertEquals([answer.status, await answer.json()], [200, {
      received: true,
    }]);
    await sweepEvents(work);
    const event = await services.store.webhookEvents.find(payload.id);
    assertEquals([event?.state, event?.attempts], ["done", 1]);
    assertEquals(await happened.known(), inVain ? before : then);
  }
}

for (const type of LEADING) {
  Deno.test(`POST /webhooks/stripe refuses ${type} that is altered, old or signed by another`, async () => {
    await using world = await openWebhookWorld();
    const body = JSON.stringify(payloadOf(type, "obj_1"));
    const refused = [
      { secret: "whsec_of_another_endpoint" },
      { signature: null },
      { signedS: -301 },
      { signedS: 301 },
      { sent: body.replace("obj_1", "obj_2") },
      { sent: body.replace(/"livemode":false/, '"livemode":true') },
    ];
    for (const delivery of refused) {
      const answer = await world.deliver(body, delivery);
      assertEquals(answer.status, 400, JSON.stringify(delivery));
      await answer.body?.cancel();
    }
    assertEquals(world.kv.commits, []);
  });

  Deno.test(`POST /webhooks/stripe takes ${type} under either secret while it is changed, once`, async () => {
    await using world = await openWebhookWorld();
    const payload = payloadOf(type, "obj_1");
    for (const secret of SECRETS) {
      const answer = await world.deliver(JSON.stringify(payload), { secret });
      assertEquals(answer.status, 200);
      await answer.body?.cancel();
      while ((await world.event(payload.id)).state !== "done");
    }
    assertEquals(world.look.looks, ["obj_1"]);
  });
}
