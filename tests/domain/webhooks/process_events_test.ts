import { assert, assertEquals } from "@std/assert";
import { sweepEvents } from "../../../domain/webhooks/sweep_events.ts";
import {
  WEBHOOK_ATTEMPTS_MAX,
  WEBHOOK_EVENT_EDGES,
  WEBHOOK_KEPT_MS,
  WEBHOOK_LEASE_MS,
} from "../../../domain/webhooks/webhook_event.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import { type EventWorld, openEventWorld } from "./event_world.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

Deno.test("a look marks its events done, kept for 30 days", async () => {
  await using world = await openEventWorld();
  await world.receive("evt_1");
  await sweepEvents(world.work);
  const event = await world.event("evt_1");
  assertEquals(event.state, "done");
  assertEquals(event.attempts, 1);
  assertEquals(event.leaseOwner, null);
  assertEquals(event.expiresAtMs, world.clock.now() + WEBHOOK_KEPT_MS);
  await sweepEvents(world.work);
  assertEquals(world.look.looks, ["inv_1"]);
});

Deno.test("one look serves every event of an object, in whatever order they came", async () => {
  await using world = await openEventWorld();
  const types = ["invoice.paid", "invoice.created", "invoice.finalized"];
  for (let n = 0; n < 30; n++) {
    const type = types[n % types.length] ?? "";
    await world.receive(`evt_${n}`, { type, createdAtMs: 30 - n });
  }
  await sweepEvents(world.work);
  assertEquals(world.look.looks, ["inv_1"]);
  for (let n = 0; n < 30; n++) {
    assertEquals((await world.event(`evt_${n}`)).state, "done");
  }
});

Deno.test("an event that comes during a look is not done by it", async () => {
  await using world = await openEventWorld();
  await world.receive("evt_1");
  let states: string[] = [];
  world.look.during = async () => {
    world.look.during = null;
    await world.receive("evt_2");
    const events = [await world.event("evt_1"), await world.event("evt_2")];
    states = events.map(({ leaseOwner }) => leaseOwner === null ? "" : "held");
  };
  await sweepEvents(world.work);
  assertEquals(states, ["held", ""]);
  assertEquals(world.look.looks, ["inv_1", "inv_1"]);
  assertEquals((await world.event("evt_2")).state, "done");
});

Deno.test("a failed look is repeated after pauses that grow from a minute to an hour", async () => {
  await using world = await openEventWorld();
  world.look.during = () => Promise.reject(new Error("No answer"));
  await world.receive("evt_1");
  for (let attempt = 1; attempt < WEBHOOK_ATTEMPTS_MAX; attempt++) {
    const pauseMs = await failOnce(world, attempt);
    const fullMs = Math.min(MINUTE_MS * 2 ** (attempt - 1), HOUR_MS);
    assert(pauseMs >= fullMs / 2 && pauseMs <= fullMs, `${pauseMs} ms`);
    world.clock.advance(pauseMs - 1);
    await sweepEvents(world.work);
    assertEquals(world.look.looks.length, attempt, "not before it is due");
    world.clock.advance(1);
  }
  const told = world.log.events.filter((name) => name === "webhook.failed");
  assertEquals(told.length, WEBHOOK_ATTEMPTS_MAX - 1);
});

Deno.test("what failed together does not come back together", async () => {
  await using world = await openEventWorld();
  world.look.during = () => Promise.reject(new Error("No answer"));
  for (let n = 0; n < 8; n++) {
    await world.receive(`evt_${n}`, { objectId: `inv_${n}` });
  }
  await sweepEvents(world.work);
  const dues = new Set<number>();
  for (let n = 0; n < 8; n++) dues.add((await world.event(`evt_${n}`)).dueAtMs);
  assertEquals(dues.size, 8);
});

Deno.test("an event that fails too often is stuck and reported, and looked into every few hours", async () => {
  await using world = await openEventWorld();
  await stick(world);
  assertEquals((await world.event("evt_1")).state, "stuck");
  assertEquals(world.log.events.at(-1), "webhook.stuck");
  const pauseMs = await failOnceMore(world);
  assert(pauseMs >= 3 * HOUR_MS && pauseMs <= 6 * HOUR_MS, `${pauseMs} ms`);
  assertEquals(world.log.events.at(-1), "webhook.stuck", "told again");
  world.look.during = null;
  world.clock.advance(pauseMs);
  await sweepEvents(world.work);
  assertEquals((await world.event("evt_1")).state, "done");
});

Deno.test("an event whose look takes the process down every time is stuck as well, and no longer looked into each minute", async () => {
  await using world = await openEventWorld();
  await world.receive("evt_1");
  let deaths = 0;
  for (let minute = 0; minute < 60; minute++) {
    const doomed = world.another();
    doomed.look.during = () => {
      doomed.kv.crash();
      deaths += 1;
    };
    await sweepEvents(doomed.work).catch(() => {});
    world.clock.advance(WEBHOOK_LEASE_MS);
  }
  assertEquals(deaths, WEBHOOK_ATTEMPTS_MAX);
  assertEquals((await world.event("evt_1")).state, "stuck");
});

Deno.test("an event that nothing is registered for waits, is told of and is looked into once something is", async () => {
  await using world = await openEventWorld();
  await world.receive("evt_1", { type: "setup_intent.succeeded" });
  await sweepEvents(world.work);
  await sweepEvents(world.work);
  assertEquals(world.log.events, ["webhook.no_handler"]);
  const waiting = await world.event("evt_1");
  assertEquals([waiting.state, waiting.attempts], ["waiting", 0]);
  world.clock.advance(HOUR_MS);
  const { look } = world.look;
  const handlers = world.work.handlers.map((line) => ({ ...line, sync: look }));
  await sweepEvents({ ...world.work, handlers });
  assertEquals((await world.event("evt_1")).state, "done");
});

Deno.test("every state of an event is reached, and done is its end", () => {
  const reached = new Set(Object.values(WEBHOOK_EVENT_EDGES).flat());
  assertEquals([...reached].toSorted(), ["done", "stuck"]);
  assertEquals(WEBHOOK_EVENT_EDGES.done, []);
});

Deno.test("a crash before or after any commit loses no event and repeats at most a look", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using world = await openEventWorld();
    const doomed = world.another();
    doomed.kv.crashAt(point);
    const taken = await receiveThree(doomed);
    await sweepEvents(doomed.work).catch((error) => {
      if (!isCrash(error) && !doomed.kv.wentWrong) throw error;
    });
    world.clock.advance(WEBHOOK_LEASE_MS);
    // The processor repeats what was not answered.
    for (const id of ["evt_1", "evt_2", "evt_3"]) {
      if (!taken.includes(id)) await receiveOne(world, id);
    }
    await sweepEvents(world.work);
    for (const id of ["evt_1", "evt_2", "evt_3"]) {
      assertEquals((await world.event(id)).state, "done");
    }
    const looks = doomed.look.looks.length + world.look.looks.length;
    assert(looks <= 4, `${looks} looks at two objects`);
    return doomed.kv.dead;
  });
  assert(points >= 10, `${points} crash points`);
});

type Receiver = Pick<EventWorld, "receive">;

const receiveOne = (process: Receiver, id: string) =>
  process.receive(id, { objectId: id === "evt_3" ? "inv_2" : "inv_1" });

/** The ids of those that the processor was told are taken. */
async function receiveThree(process: Receiver): Promise<string[]> {
  const taken: string[] = [];
  for (const id of ["evt_1", "evt_2", "evt_3"]) {
    const answered = await receiveOne(process, id).then(
      () => true,
      () => false,
    );
    if (answered) taken.push(id);
  }
  return taken;
}

/** Lets one look fail; answers how long the next has to wait. */
async function failOnce(world: EventWorld, attempt: number): Promise<number> {
  await sweepEvents(world.work);
  const event = await world.event("evt_1");
  assertEquals(event.attempts, attempt);
  assertEquals(event.leaseOwner, null);
  return event.dueAtMs - world.clock.now();
}

/** Lets looks fail until the event is stuck. */
async function stick(world: EventWorld): Promise<void> {
  world.look.during = () => Promise.reject(new Error("No answer"));
  await world.receive("evt_1");
  for (let attempt = 1; attempt <= WEBHOOK_ATTEMPTS_MAX; attempt++) {
    assertEquals((await world.event("evt_1")).state, "waiting");
    await failOnceMore(world);
  }
}

async function failOnceMore(world: EventWorld): Promise<number> {
  const { attempts, dueAtMs } = await world.event("evt_1");
  world.clock.set(dueAtMs);
  return await failOnce(world, attempts + 1);
}
