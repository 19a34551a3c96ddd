import { assert, assertEquals } from "@std/assert";
import { handlerOf } from "../../../../domain/webhooks/handlers.ts";
import { keyOf } from "../../../support/faults.ts";
import { EVENT_TYPES } from "../../../support/event_types.ts";
import { eventPayload } from "../../../support/stripe_event.ts";
import { openWebhookWorld, type WebhookWorld } from "./webhook_world.ts";

const PATH = "/webhooks/stripe";

/** Nothing was stored, and no verb was asked to look. */
function assertNothingKept(world: WebhookWorld): void {
  assertEquals(world.kv.commits, []);
  assertEquals(world.look.looks, []);
}

Deno.test("POST /webhooks/stripe answers 200 once the event is stored", async () => {
  await using world = await openWebhookWorld();
  const answer = await world.deliverEvent(eventPayload("invoice.paid", {
    id: "evt_paid",
    created: 1_795_000_000,
    object: { id: "in_1", object: "invoice", status: "paid", total: 4_200 },
  }));
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("cache-control"), "no-store");
  assertEquals(await answer.json(), { received: true });
  const event = await world.event("evt_paid");
  assertEquals(
    [event.type, event.objectId, event.objectType, event.createdAtMs],
    ["invoice.paid", "in_1", "invoice", 1_795_000_000_000],
  );
});

Deno.test("POST /webhooks/stripe has the object looked at, for every event that leads anywhere", async () => {
  await using world = await openWebhookWorld();
  const leading = EVENT_TYPES.filter((type) =>
    handlerOf(world.work.handlers, type) !== null
  );
  assertEquals(leading.length, 52);
  for (const type of leading) {
    const payload = eventPayload(type, {
      id: `evt_${type}`,
      // Of an account that we pay, not of our own.
      ...type === "account.updated" && { account: "acct_1" },
    });
    assertEquals((await world.deliverEvent(payload)).status, 200, type);
    while ((await world.event(`evt_${type}`)).state !== "done");
  }
  const { look } = world;
  assertEquals(look.looks, leading.map(() => "obj_1"));
});

Deno.test("POST /webhooks/stripe acknowledges every other event and keeps nothing of it", async () => {
  await using world = await openWebhookWorld();
  for (const type of EVENT_TYPES) {
    if (handlerOf(world.work.handlers, type) !== null) continue;
    const answer = await world.deliverEvent(eventPayload(type));
    assertEquals(answer.status, 200, type);
  }
  assertNothingKept(world);
});

Deno.test("POST /webhooks/stripe acknowledges an upcoming invoice, which has no id", async () => {
  await using world = await openWebhookWorld();
  const payload = eventPayload("invoice.upcoming", {
    object: { object: "invoice" },
  });
  assertEquals((await world.deliverEvent(payload)).status, 200);
  assertNothingKept(world);
});

Deno.test("POST /webhooks/stripe acknowledges events of the other mode and of connected accounts", async () => {
  await using world = await openWebhookWorld();
  for (const changes of [{ livemode: true }, { account: "acct_1" }]) {
    const payload = eventPayload("invoice.paid", changes);
    assertEquals((await world.deliverEvent(payload)).status, 200);
  }
  assertNothingKept(world);
  assertEquals(world.log.events, ["webhook.other_mode"]);
});

Deno.test("POST /webhooks/stripe answers a replay as the first, which stays the only one", async () => {
  await using world = await openWebhookWorld();
  const payload = eventPayload("payment_intent.succeeded");
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => world.deliverEvent(payload)),
  );
  assert(answers.every(({ status }) => status === 200));
  while ((await world.event("evt_1")).state !== "done");
  assertEquals((await world.deliverEvent(payload)).status, 200);
  assertEquals(world.look.looks, ["obj_1"]);
});

Deno.test("POST /webhooks/stripe answers 503 when the store can't take it, so that the processor repeats", async () => {
  await using world = await openWebhookWorld();
  world.kv.inject({
    on: "commit",
    key: keyOf("webhook_events"),
    fault: { kind: "fail_after" },
  });
  const payload = eventPayload("invoice.paid");
  const failed = await world.deliverEvent(payload);
  assertEquals(failed.status, 503);
  assert(Number(failed.headers.get("retry-after")) >= 1);
  assertEquals(
    failed.headers.get("content-type"),
    "application/problem+json",
  );
  assertEquals((await world.deliverEvent(payload)).status, 200);
});

Deno.test("POST /webhooks/stripe answers before anything comes of the event", async () => {
  await using world = await openWebhookWorld();
  const gate = Promise.withResolvers<void>();
  world.look.during = () => gate.promise;
  const answer = await world.deliverEvent(eventPayload("invoice.paid"));
  assertEquals(answer.status, 200);
  assertEquals((await world.event("evt_1")).state, "waiting");
  gate.resolve();
  while ((await world.event("evt_1")).state !== "done");
});

for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
  Deno.test(`${method} /webhooks/stripe is 405 and allows POST alone`, async () => {
    await using world = await openWebhookWorld();
    const answer = await world.ask(PATH, { method });
    assertEquals(answer.status, 405);
    assertEquals(answer.headers.get("allow"), "POST");
  });
}

Deno.test("there is one webhook address: no other is known", async () => {
  await using world = await openWebhookWorld();
  const others = ["/webhooks", "/webhooks/", "/webhooks/other", `${PATH}/1`];
  for (const path of others) {
    const answer = await world.ask(path, { method: "POST", body: "{}" });
    assertEquals(answer.status, 404, path);
  }
});
