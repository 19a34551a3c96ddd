import { assert, assertEquals, assertRejects } from "@std/assert";
import { StoreUnavailable } from "../../../domain/failure.ts";
import { WEBHOOK_HANDLERS } from "../../../domain/webhooks/handlers.ts";
import { receiveEvent } from "../../../domain/webhooks/receive_event.ts";
import { sweepEvents } from "../../../domain/webhooks/sweep_events.ts";
import type { VerifiedEvent } from "../../../domain/webhooks/verifier.ts";
import { WEBHOOK_KEPT_MS } from "../../../domain/webhooks/webhook_event.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import { keyOf } from "../../support/faults.ts";
import { openTestStore } from "../../support/store.ts";
import { openEventWorld } from "./event_world.ts";

Deno.test("receiveEvent() keeps what is needed to look, and nothing of what was said", async () => {
  await using world = await openEventWorld();
  const stored = await world.receive("evt_1", { createdAtMs: 7_000 });
  assertEquals(await world.event("evt_1"), {
    id: "evt_1",
    type: "invoice.paid",
    objectId: "inv_1",
    objectType: "invoice",
    createdAtMs: 7_000,
    receivedAtMs: world.clock.now(),
    state: "waiting",
    attempts: 0,
    dueAtMs: world.clock.now(),
    leaseOwner: null,
    expiresAtMs: null,
  });
  assertEquals(stored, await world.event("evt_1"));
});

Deno.test("receiveEvent() stores an event once, however often and at once it is delivered", async () => {
  await using world = await openEventWorld();
  const other = world.another();
  const stored = await Promise.all(
    Array.from(
      { length: 12 },
      (_, n) => (n % 2 === 0 ? world : other).receive("evt_1"),
    ),
  );
  assertEquals(stored.filter((event) => event !== null).length, 1);
  world.clock.advance(60_000);
  assertEquals(await world.receive("evt_1"), null);
  assertEquals(
    (await world.event("evt_1")).dueAtMs,
    world.clock.now() - 60_000,
  );
});

Deno.test("receiveEvent() knows an event for 30 days after it was looked into", async () => {
  await using world = await openEventWorld();
  await world.receive("evt_1");
  await sweepEvents(world.work);
  world.clock.advance(WEBHOOK_KEPT_MS - 1);
  assertEquals(await world.receive("evt_1"), null);
  world.clock.advance(1);
  assert(await world.receive("evt_1") !== null, "one look more does no harm");
});

Deno.test("receiveEvent() never forgets an event that was not looked into", async () => {
  await using world = await openEventWorld();
  await world.receive("evt_1", { type: "setup_intent.succeeded" });
  for (let month = 0; month < 3; month++) {
    world.clock.advance(WEBHOOK_KEPT_MS);
    await sweepEvents(world.work);
  }
  assertEquals((await world.event("evt_1")).state, "waiting");
});

const FORGOTTEN: [what: string, changes: Partial<VerifiedEvent>][] = [
  ["a name that leads nowhere", { type: "charge.succeeded" }],
  ["a name nobody has heard of", { type: "shared_payment.issued_token.used" }],
  ["an object without an id", { type: "invoice.upcoming", objectId: null }],
  ["no object at all", { objectId: null, objectType: null }],
  ["a connected account", { ofConnectedAccount: true }],
  ["the other mode", { livemode: true }],
];

for (const [what, changes] of FORGOTTEN) {
  Deno.test(`receiveEvent() acknowledges an event of ${what} and keeps nothing`, async () => {
    await using world = await openEventWorld();
    assertEquals(await world.receive("evt_1", changes), null);
    assertEquals(world.kv.commits, []);
  });
}

Deno.test("receiveEvent() tells the log of an event of the other mode", async () => {
  await using world = await openEventWorld();
  await world.receive("evt_1", { livemode: true });
  assertEquals(world.log.events, ["webhook.other_mode"]);
  await world.receive("evt_2", { livemode: true, type: "charge.succeeded" });
  assertEquals(world.log.events, ["webhook.other_mode"], "nobody misses it");
});

Deno.test("receiveEvent() fails when the store can't take it, and the repeat is stored", async () => {
  await using world = await openEventWorld();
  world.kv.inject({
    on: "commit",
    key: keyOf("webhook_events"),
    fault: { kind: "locked" },
    times: 10_000,
  });
  await assertRejects(() => world.receive("evt_1"), StoreUnavailable);
  assert(await world.another().receive("evt_1") !== null);
});

Deno.test("receiveEvent() leaves one row when a commit applied and its answer was lost", async () => {
  await using world = await openEventWorld();
  world.kv.inject({ on: "commit", fault: { kind: "fail_after" } });
  await assertRejects(() => world.receive("evt_1"));
  assertEquals(await world.receive("evt_1"), null, "the processor's repeat");
  await sweepEvents(world.work);
  assertEquals(world.look.looks, ["inv_1"]);
});

Deno.test("receiveEvent() keeps what happened to an account that we pay, and not to our own", async () => {
  await using test = await openTestStore();
  const services = { ...test, log: new MemoryLog() };
  const reception = { handlers: WEBHOOK_HANDLERS, livemode: false };
  const event = {
    id: "evt_1",
    type: "account.updated",
    objectId: "acct_1",
    objectType: "account",
    createdAtMs: 0,
    livemode: false,
  };
  const receive = (ofConnectedAccount: boolean) =>
    receiveEvent(services, reception, { ...event, ofConnectedAccount });
  assertEquals(await receive(false), null);
  assertEquals((await receive(true))?.objectId, "acct_1");
});
