import { assertEquals } from "@std/assert";
import {
  ProcessorRefused,
  ProcessorUncertain,
  StoreUnavailable,
} from "../../../domain/failure.ts";
import { listTroubledEvents } from "../../../domain/webhooks/list_troubled_events.ts";
import { retryEvent } from "../../../domain/webhooks/retry_event.ts";
import { sweepEvents } from "../../../domain/webhooks/sweep_events.ts";
import {
  type EventTrouble,
  WEBHOOK_LEASE_MS,
  type WebhookEvent,
} from "../../../domain/webhooks/webhook_event.ts";
import { assertRefused } from "../../support/refused.ts";
import { troubledEvent } from "../../support/troubled_event.ts";
import { type EventWorld, openEventWorld } from "./event_world.ts";

const eventId = "evt_1";

async function opened(
  changes: Partial<WebhookEvent> = {},
): Promise<EventWorld> {
  const world = await openEventWorld();
  await save(world, troubledEvent(eventId, world.clock.now(), changes));
  return world;
}

function save({ testStore }: EventWorld, event: WebhookEvent): Promise<void> {
  return testStore.store.transact((tx) => tx.webhookEvents.save(event));
}

async function listed({ work }: EventWorld): Promise<string[]> {
  const { events } = await listTroubledEvents(work.services);
  return events.map(({ id }) => id);
}

Deno.test("retryEvent() looks into a stuck event at once, long before its turn", async () => {
  await using world = await opened();
  const event = await retryEvent(world.work, { eventId });
  assertEquals([event.state, event.leaseOwner], ["done", null]);
  assertEquals(world.look.looks, ["in_1"]);
  assertEquals(await listed(world), []);
});

Deno.test("retryEvent() says what failed again, and the event waits on", async () => {
  await using world = await opened();
  world.look.during = () => {
    throw new ProcessorRefused("no");
  };
  const event = await retryEvent(world.work, { eventId });
  assertEquals([event.state, event.trouble], ["stuck", "processor_refused"]);
  assertEquals(event.attempts, 15);
  assertEquals(event.dueAtMs > world.clock.now(), true);
  assertEquals(await listed(world), [eventId]);
});

Deno.test("retryEvent() leaves an event alone that somebody is at", async () => {
  await using world = await opened();
  const dueAtMs = world.clock.now() + WEBHOOK_LEASE_MS;
  const held = troubledEvent(eventId, world.clock.now(), {
    leaseOwner: "another",
    dueAtMs,
  });
  await save(world, held);
  assertEquals(await retryEvent(world.work, { eventId }), held);
  assertEquals(world.look.looks, []);
});

Deno.test("retryEvent() looks into an event whose process died of it", async () => {
  await using world = await opened({ leaseOwner: "dead", dueAtMs: 0 });
  const { state } = await retryEvent(world.work, { eventId });
  assertEquals(state, "done");
});

Deno.test("retryEvent() leaves what is done as it is", async () => {
  await using world = await opened({ state: "done" });
  assertEquals((await retryEvent(world.work, { eventId })).state, "done");
  assertEquals(world.look.looks, []);
});

Deno.test("retryEvent() leaves an event waiting that there is no verb for", async () => {
  await using world = await opened({ type: "setup_intent.succeeded" });
  assertEquals((await retryEvent(world.work, { eventId })).state, "stuck");
});

Deno.test("retryEvent() refuses an event that was never stored", async () => {
  await using world = await openEventWorld();
  await assertRefused(() => retryEvent(world.work, { eventId }), "not_found");
});

Deno.test("two operators who try an event at once have it looked into once", async () => {
  await using world = await opened();
  const states = await Promise.all([
    retryEvent(world.work, { eventId }),
    retryEvent(world.another().work, { eventId }),
  ]);
  assertEquals(states.some(({ state }) => state === "done"), true);
  assertEquals((await world.event(eventId)).attempts, 15);
});

const TROUBLES: [failure: () => unknown, trouble: EventTrouble][] = [
  [() => new ProcessorUncertain("?"), "processor_uncertain"],
  [() => new ProcessorRefused("no"), "processor_refused"],
  [() => new StoreUnavailable("gone"), "store"],
  [() => new TypeError("a bug"), "unexpected"],
];

for (const [failure, trouble] of TROUBLES) {
  Deno.test(`an event whose look failed is listed with its trouble: ${trouble}`, async () => {
    await using world = await openEventWorld();
    await world.receive(eventId);
    assertEquals(await listed(world), []);
    world.look.during = () => {
      throw failure();
    };
    await sweepEvents(world.work);
    assertEquals((await world.event(eventId)).trouble, trouble);
    assertEquals(await listed(world), [eventId]);
    world.look.during = null;
    world.clock.advance(60_000);
    await sweepEvents(world.work);
    assertEquals((await world.event(eventId)).state, "done");
    assertEquals(await listed(world), []);
  });
}

Deno.test("a process that dies of an event too often leaves that as its trouble", async () => {
  await using world = await openEventWorld();
  const dead = { leaseOwner: "dead", dueAtMs: 0, state: "waiting" } as const;
  const { trouble: _, ...event } = troubledEvent(eventId, 0, dead);
  await save(world, event);
  await sweepEvents(world.work);
  const { state, trouble } = await world.event(eventId);
  assertEquals([state, trouble], ["stuck", "process_ended"]);
  assertEquals(await listed(world), [eventId]);
});

Deno.test("listTroubledEvents() names 50, stuck ones first, and says that there are more", async () => {
  await using world = await openEventWorld();
  const now = world.clock.now();
  for (let nth = 0; nth < 51; nth++) {
    const state = nth === 9 ? "stuck" : "waiting";
    const id = `evt_${String(nth).padStart(2, "0")}`;
    await save(world, troubledEvent(id, now, { state, receivedAtMs: nth }));
  }
  const { events, isPartial } = await listTroubledEvents(world.work.services);
  assertEquals([events.length, isPartial], [50, true]);
  assertEquals(events.slice(0, 2).map(({ id }) => id), ["evt_09", "evt_00"]);
});
