import { assert, assertEquals } from "@std/assert";
import {
  createEventPump,
  STOP_LOOKS_MS,
} from "../../../domain/webhooks/event_pump.ts";
import { LANES } from "../../../domain/webhooks/process_events.ts";
import { sweepEvents } from "../../../domain/webhooks/sweep_events.ts";
import { WEBHOOK_LEASE_MS } from "../../../domain/webhooks/webhook_event.ts";
import { keyOf } from "../../support/faults.ts";
import { type EventWorld, openEventWorld } from "./event_world.ts";

type Pump = ReturnType<typeof createEventPump>;

async function receive(
  world: EventWorld,
  pump: Pump,
  id: string,
  objectId: string,
): Promise<void> {
  const event = await world.receive(id, { objectId });
  if (event !== null) pump.offer(event);
}

/** Until nothing is under way. */
async function idle(world: EventWorld): Promise<void> {
  for (;;) {
    const due = await world.work.services.store.listDue(
      "events",
      world.clock.now() + WEBHOOK_LEASE_MS,
      { limit: 1 },
    );
    if (due.length === 0) return;
  }
}

Deno.test("the pump looks into an event as soon as it is stored", async () => {
  await using world = await openEventWorld();
  const pump = createEventPump(world.work);
  await receive(world, pump, "evt_1", "inv_1");
  await idle(world);
  assertEquals(world.look.looks, ["inv_1"]);
  await pump.close();
});

Deno.test("the pump looks at several objects at once, and never twice at one", async () => {
  await using world = await openEventWorld();
  const pump = createEventPump(world.work);
  const busy = new Set<string>();
  let most = 0;
  world.look.during = async (objectId) => {
    assert(!busy.has(objectId), `two looks at ${objectId}`);
    busy.add(objectId);
    most = Math.max(most, busy.size);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    busy.delete(objectId);
  };
  await Promise.all(
    Array.from(
      { length: 200 },
      (_, n) => receive(world, pump, `evt_${n}`, `inv_${n % 20}`),
    ),
  );
  await idle(world);
  assert(most > 1 && most <= LANES, `${most} at once`);
  assert(world.look.looks.length < 200, "one look serves several events");
  for (let n = 0; n < 200; n++) {
    const { state, attempts } = await world.event(`evt_${n}`);
    assertEquals([state, attempts], ["done", 1]);
  }
  await pump.close();
});

Deno.test("what is told of an object during a look at it is served by the next look", async () => {
  await using world = await openEventWorld();
  const pump = createEventPump(world.work);
  world.look.during = async () => {
    world.look.during = null;
    await receive(world, pump, "evt_2", "inv_1");
    await receive(world, pump, "evt_3", "inv_1");
  };
  await receive(world, pump, "evt_1", "inv_1");
  await idle(world);
  assertEquals(world.look.looks, ["inv_1", "inv_1"]);
  await pump.close();
});

Deno.test("the pump begins with the object that was told of first", async () => {
  await using world = await openEventWorld();
  const pump = createEventPump(world.work);
  const gates = new Map<string, PromiseWithResolvers<void>>();
  world.look.during = (objectId) => {
    const gate = Promise.withResolvers<void>();
    gates.set(objectId, gate);
    return gate.promise;
  };
  for (let n = 0; n < LANES + 3; n++) {
    await receive(world, pump, `evt_${n}`, `inv_${n}`);
  }
  await receive(world, pump, "evt_again", `inv_${LANES + 2}`);
  while (gates.size < LANES) await world.event("evt_0");
  // Those that begin together may come in any order; these begin one by one.
  for (let n = LANES; n < LANES + 3; n++) {
    gates.get(`inv_${n - LANES}`)?.resolve();
    while (gates.size <= n) await world.event("evt_0");
    assertEquals(world.look.looks.at(-1), `inv_${n}`);
  }
  gates.forEach(({ resolve }) => resolve());
  await idle(world);
  assertEquals(world.look.looks.length, LANES + 3);
  await pump.close();
});

Deno.test("a look that fails keeps no other waiting and is left to the sweep", async () => {
  await using world = await openEventWorld();
  const pump = createEventPump(world.work);
  world.look.during = (objectId) => {
    if (objectId === "inv_0") throw new Error("No answer");
  };
  for (let n = 0; n < 12; n++) {
    await receive(world, pump, `evt_${n}`, `inv_${n}`);
  }
  while (world.look.looks.length < 12) await world.event("evt_0");
  await pump.close();
  assertEquals((await world.event("evt_11")).state, "done");
  const failed = await world.event("evt_0");
  assertEquals(failed.state, "waiting");
  world.look.during = null;
  world.clock.set(failed.dueAtMs);
  await sweepEvents(world.work);
  assertEquals((await world.event("evt_0")).state, "done");
});

Deno.test("what the store can't write down is told and left to the sweep", async () => {
  await using world = await openEventWorld();
  const doomed = world.another([{
    on: "commit",
    key: keyOf("webhook_events"),
    fault: { kind: "fail_after" },
    nth: 2,
  }]);
  const pump = createEventPump(doomed.work);
  const event = await doomed.receive("evt_1");
  assert(event !== null);
  pump.offer(event);
  while (world.log.events.length === 0) await world.event("evt_1");
  assertEquals(world.log.events, ["webhook.unrecorded"]);
  await pump.close();
  world.clock.advance(WEBHOOK_LEASE_MS);
  await sweepEvents(world.work);
  assertEquals((await world.event("evt_1")).state, "done");
});

Deno.test("a stop begins no further look and waits for those under way", async () => {
  await using world = await openEventWorld();
  const pump = createEventPump(world.work);
  const gate = Promise.withResolvers<void>();
  world.look.during = () => gate.promise;
  for (let n = 0; n < 20; n++) {
    await receive(world, pump, `evt_${n}`, `inv_${n}`);
  }
  const closing = pump.close();
  assert(world.timer.waiting.includes(STOP_LOOKS_MS));
  gate.resolve();
  await closing;
  assertEquals(world.look.looks.length, LANES);
  const later = await world.receive("evt_late", { objectId: "inv_late" });
  if (later !== null) pump.offer(later);
  await sweepEvents(world.another().work);
  assertEquals((await world.event("evt_19")).state, "done");
  assertEquals(world.look.looks.length, LANES, "the sweep of another has them");
});

Deno.test("a stop waits no longer than it is told for a look that does not end", async () => {
  await using world = await openEventWorld();
  const pump = createEventPump(world.work);
  const gate = Promise.withResolvers<void>();
  world.look.during = () => gate.promise;
  await receive(world, pump, "evt_1", "inv_1");
  while (world.look.looks.length === 0) await world.event("evt_1");
  const closing = pump.close(7);
  world.timer.fire();
  await closing;
  gate.resolve();
  await idle(world);
});

Deno.test("the pump leaves an event alone that nothing is registered for", async () => {
  await using world = await openEventWorld();
  const pump = createEventPump(world.work);
  const type = "setup_intent.succeeded";
  const event = await world.receive("evt_1", { type });
  assert(event !== null);
  pump.offer(event);
  await pump.close();
  assertEquals(await world.event("evt_1"), event);
});
