import { assertEquals } from "@std/assert";
import { sweepEvents } from "../../../domain/webhooks/sweep_events.ts";
import { WEBHOOK_LEASE_MS } from "../../../domain/webhooks/webhook_event.ts";
import { lostConnection } from "../../support/faults.ts";
import {
  type EventWorld,
  openEventWorld,
  type TestLook,
} from "./event_world.ts";

/** A look that goes on until it is told to end. */
function longLook(look: TestLook): { begun: Promise<void>; end(): void } {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  look.during = () => {
    begun.resolve();
    return end.promise;
  };
  return { begun: begun.promise, end: () => end.resolve() };
}

/** Fires the timer and lets the renewal that it begins come to its end. */
async function renew({ timer, event }: EventWorld): Promise<void> {
  timer.fire();
  while (timer.waiting.length === 0) await event("evt_1");
}

Deno.test("of two isolates one looks into an event", async () => {
  await using world = await openEventWorld();
  const other = world.another();
  await world.receive("evt_1");
  await Promise.all([sweepEvents(world.work), sweepEvents(other.work)]);
  assertEquals([...world.look.looks, ...other.look.looks], ["inv_1"]);
});

Deno.test("nobody else looks while a look that takes long renews its lease", async () => {
  await using world = await openEventWorld();
  const other = world.another();
  await world.receive("evt_1");
  const long = longLook(world.look);
  const sweeping = sweepEvents(world.work);
  await long.begun;
  for (let third = 0; third < 9; third++) {
    world.clock.advance(WEBHOOK_LEASE_MS / 3);
    await renew(world);
    await sweepEvents(other.work);
  }
  long.end();
  await sweeping;
  assertEquals(other.look.looks, []);
  assertEquals((await world.event("evt_1")).state, "done");
  assertEquals(world.timer.waiting, [], "nothing is left to renew");
});

Deno.test("a lease that could not be renewed is renewed a third of it later", async () => {
  await using world = await openEventWorld();
  const other = world.another();
  await world.receive("evt_1");
  const long = longLook(world.look);
  const sweeping = sweepEvents(world.work);
  await long.begun;
  world.kv.inject({
    on: "commit",
    fault: { kind: "fail_before", error: lostConnection() },
  });
  for (let third = 0; third < 5; third++) {
    world.clock.advance(WEBHOOK_LEASE_MS / 3);
    await renew(world);
    await sweepEvents(other.work);
  }
  long.end();
  await sweeping;
  assertEquals(other.look.looks, []);
  assertEquals(world.log.events, ["webhook.not_renewed"]);
});

Deno.test("whoever comes after a lease has run out looks again, and both may say that it is done", async () => {
  await using world = await openEventWorld();
  const other = world.another();
  await world.receive("evt_1");
  const long = longLook(world.look);
  const sweeping = sweepEvents(world.work);
  await long.begun;
  world.clock.advance(WEBHOOK_LEASE_MS);
  await sweepEvents(other.work);
  assertEquals(other.look.looks, ["inv_1"]);
  const done = await world.event("evt_1");
  assertEquals(done.state, "done");
  long.end();
  await sweeping;
  assertEquals(await world.event("evt_1"), done);
});

Deno.test("a look that fails after another took over changes nothing", async () => {
  await using world = await openEventWorld();
  const other = world.another();
  await world.receive("evt_1");
  const mine = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  world.look.during = () => {
    begun.resolve();
    return mine.promise;
  };
  const sweeping = sweepEvents(world.work);
  await begun.promise;
  world.clock.advance(WEBHOOK_LEASE_MS);
  const theirs = longLook(other.look);
  const taking = sweepEvents(other.work);
  await theirs.begun;
  const held = await world.event("evt_1");
  mine.reject(new Error("No answer"));
  await sweeping;
  assertEquals(await world.event("evt_1"), held);
  theirs.end();
  await taking;
  assertEquals((await world.event("evt_1")).state, "done");
});
