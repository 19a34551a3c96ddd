import { assertEquals } from "@std/assert";
import { sweepEvents } from "../../../domain/webhooks/sweep_events.ts";
import { WEBHOOK_LEASE_MS } from "../../../domain/webhooks/webhook_event.ts";
import { lostConnection } from "../../support/faults.ts";
import {
  type EventProcess,
  type EventWorld,
  openEventWorld,
} from "./event_world.ts";

/** A sweep in the middle of a look at an event. */
interface LongLook {
  sweeping: Promise<void>;
  end(): void;
  fail(): void;
}

/** Begins a look that goes on until it is told how to end. */
async function beginLook(
  { look, work }: Pick<EventProcess, "look" | "work">,
): Promise<LongLook> {
  const begun = Promise.withResolvers<void>();
  const outcome = Promise.withResolvers<void>();
  look.during = () => {
    begun.resolve();
    return outcome.promise;
  };
  const sweeping = sweepEvents(work);
  await begun.promise;
  return {
    sweeping,
    end: () => outcome.resolve(),
    fail: () => outcome.reject(new Error("No answer")),
  };
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
  const long = await beginLook(world);
  for (let third = 0; third < 9; third++) {
    world.clock.advance(WEBHOOK_LEASE_MS / 3);
    await renew(world);
    await sweepEvents(other.work);
  }
  long.end();
  await long.sweeping;
  assertEquals(other.look.looks, []);
  assertEquals((await world.event("evt_1")).state, "done");
  assertEquals(world.timer.waiting, [], "nothing is left to renew");
});

Deno.test("a lease that could not be renewed is renewed a third of it later", async () => {
  await using world = await openEventWorld();
  const other = world.another();
  await world.receive("evt_1");
  const long = await beginLook(world);
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
  await long.sweeping;
  assertEquals(other.look.looks, []);
  assertEquals(world.log.events, ["webhook.not_renewed"]);
});

Deno.test("whoever comes after a lease has run out looks again, and both may say that it is done", async () => {
  await using world = await openEventWorld();
  const other = world.another();
  await world.receive("evt_1");
  const long = await beginLook(world);
  world.clock.advance(WEBHOOK_LEASE_MS);
  await sweepEvents(other.work);
  assertEquals(other.look.looks, ["inv_1"]);
  const done = await world.event("evt_1");
  assertEquals(done.state, "done");
  long.end();
  await long.sweeping;
  assertEquals(await world.event("evt_1"), done);
});

Deno.test("a look that fails after another took over changes nothing", async () => {
  await using world = await openEventWorld();
  const other = world.another();
  await world.receive("evt_1");
  const mine = await beginLook(world);
  world.clock.advance(WEBHOOK_LEASE_MS);
  const theirs = await beginLook(other);
  const held = await world.event("evt_1");
  mine.fail();
  await mine.sweeping;
  assertEquals(await world.event("evt_1"), held);
  theirs.end();
  await theirs.sweeping;
  assertEquals((await world.event("evt_1")).state, "done");
});
