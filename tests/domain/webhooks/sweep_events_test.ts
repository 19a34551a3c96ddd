import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { createEventPump } from "../../../domain/webhooks/event_pump.ts";
import { GROUP_MAX, LANES } from "../../../domain/webhooks/process_events.ts";
import { sweepEvents } from "../../../domain/webhooks/sweep_events.ts";
import { WEBHOOK_LEASE_MS } from "../../../domain/webhooks/webhook_event.ts";
import { keyOf } from "../../support/faults.ts";
import { type EventProcess, openEventWorld } from "./event_world.ts";

Deno.test("sweepEvents() works through more events than one list has, several of an object with one look", async () => {
  await using world = await openEventWorld();
  await Promise.all(
    Array.from(
      { length: 1_200 },
      (_, n) => world.receive(`evt_${n}`, { objectId: `inv_${n % 300}` }),
    ),
  );
  await sweepEvents(world.work);
  const { store } = world.work.services;
  const left = await store.listDue("events", world.clock.now(), {
    limit: 1,
  });
  assertEquals(left, []);
  assertEquals(new Set(world.look.looks).size, 300);
  assert(world.look.looks.length < 1_200);
});

Deno.test("sweepEvents() gives one look no more events than it can write down", async () => {
  await using world = await openEventWorld();
  for (let n = 0; n < GROUP_MAX + 1; n++) await world.receive(`evt_${n}`);
  await sweepEvents(world.work);
  assertEquals(world.look.looks.length, 2);
  assertEquals((await world.event(`evt_${GROUP_MAX}`)).state, "done");
});

Deno.test("sweepEvents() looks at several objects at once, with a bound", async () => {
  await using world = await openEventWorld();
  for (let n = 0; n < 30; n++) {
    await world.receive(`evt_${n}`, { objectId: `inv_${n}` });
  }
  let [now, most] = [0, 0];
  world.look.during = async () => {
    most = Math.max(most, ++now);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    now -= 1;
  };
  await sweepEvents(world.work);
  assert(most > 1 && most <= LANES, `${most} at once`);
});

Deno.test("sweepEvents() begins nothing after 45 seconds and leaves the rest to the next run", async () => {
  await using world = await openEventWorld();
  for (let n = 0; n < 40; n++) {
    await world.receive(`evt_${n}`, { objectId: `inv_${n}` });
  }
  world.look.during = () => world.clock.advance(10_000);
  await sweepEvents(world.work);
  assert(world.look.looks.length < 40, `${world.look.looks.length} looks`);
  world.look.during = null;
  await sweepEvents(world.work);
  assertEquals(new Set(world.look.looks).size, 40);
});

Deno.test("sweepEvents() says when looks could not be written down, and looks at the others", async () => {
  await using world = await openEventWorld();
  for (let n = 0; n < 20; n++) {
    await world.receive(`evt_${n}`, { objectId: `inv_${n}` });
  }
  world.kv.inject({
    on: "commit",
    key: keyOf("webhook_events"),
    fault: { kind: "fail_after" },
    nth: world.kv.commits.length + 3,
  });
  await assertRejects(
    () => sweepEvents(world.work),
    Error,
    "Cannot record the looks at 1 objects",
  );
  world.clock.advance(WEBHOOK_LEASE_MS);
  await sweepEvents(world.work);
  for (let n = 0; n < 20; n++) {
    assertEquals((await world.event(`evt_${n}`)).state, "done");
  }
});

/** The one or the other of two isolates over one store. */
const isolate = fc.constantFrom<0 | 1>(0, 1);

Deno.test("however two isolates take turns, no event is looked into twice", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(isolate, { minLength: 1, maxLength: 30 }),
      fc.array(isolate, { minLength: 2, maxLength: 6 }),
      fc.array(fc.nat(60), { maxLength: 8 }),
      async (deliveries, sweeps, lostRaces) => {
        await using world = await openEventWorld();
        const isolates = [world, world.another()];
        const pumps = isolates.map(({ work }) => createEventPump(work));
        for (const nth of lostRaces) {
          const fault = { kind: "conflict" } as const;
          world.kv.inject({ on: "commit", fault, nth });
        }
        await Promise.all(deliveries.map(async (to, n) => {
          const changes = { objectId: `inv_${n}` };
          const event = await isolates[to]?.receive(`evt_${n}`, changes);
          if (event) pumps[to]?.offer(event);
        }));
        await Promise.all(
          sweeps.map((by) => sweepEvents(isolates[by]?.work ?? world.work)),
        );
        await Promise.all(pumps.map((pump) => pump.close()));
        await sweepEvents(world.work);
        const looks = isolates.flatMap(({ look }) => look.looks);
        assertEquals(looks.length, new Set(looks).size);
        assertEquals(looks.length, deliveries.length);
      },
    ),
    { numRuns: 60 },
  );
});

/** What may happen, in any order, to two isolates over one store. */
type Step =
  | { kind: "deliver"; event: number; to: 0 | 1 }
  | { kind: "sweep"; by: 0 | 1 }
  | { kind: "fail"; times: number }
  | { kind: "lose_race" }
  | { kind: "wait"; ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("deliver" as const),
      event: fc.nat(9),
      to: isolate,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("sweep" as const),
      by: isolate,
    }),
  },
  fc.record({ kind: fc.constant("fail" as const), times: fc.nat(2) }),
  fc.record({ kind: fc.constant("lose_race" as const) }),
  fc.record({
    kind: fc.constant("wait" as const),
    ms: fc.integer({ min: 0, max: 3 * 3_600_000 }),
  }),
);

Deno.test("any deliveries, failures and sweeps of two isolates end with every event done, after a look that began later than it came", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      async (steps) => await play(steps),
    ),
    { numRuns: 60 },
  );
});

async function play(steps: readonly Step[]): Promise<void> {
  await using world = await openEventWorld();
  const isolates: [EventProcess, EventProcess] = [world, world.another()];
  const pumps = isolates.map(({ work }) => createEventPump(work));
  const journal = new Journal(isolates);
  const underWay: Promise<unknown>[] = [];
  for (const one of steps) {
    if (one.kind === "wait") world.clock.advance(one.ms);
    if (one.kind === "fail") journal.failuresLeft += one.times;
    if (one.kind === "sweep") underWay.push(sweepEvents(isolates[one.by].work));
    if (one.kind === "lose_race") {
      world.kv.inject({ on: "commit", fault: { kind: "conflict" } });
    }
    if (one.kind !== "deliver") continue;
    const id = `evt_${one.event}`;
    const objectId = `inv_${one.event % 3}`;
    const event = await isolates[one.to].receive(id, { objectId });
    if (event === null) continue;
    journal.received.set(id, { objectId, at: journal.moment() });
    pumps[one.to]?.offer(event);
  }
  await Promise.all(underWay);
  await Promise.all(pumps.map((pump) => pump.close()));
  journal.failuresLeft = 0;
  world.clock.advance(24 * 3_600_000);
  await sweepEvents(world.work);
  for (const [id, { objectId, at }] of journal.received) {
    assertEquals((await world.event(id)).state, "done", id);
    const last = journal.lastLookAt.get(objectId) ?? -1;
    assert(last > at, `${id} came after the last look at ${objectId}`);
  }
}

/** Notes when looks began and events came, and which events each look held. */
class Journal {
  failuresLeft = 0;
  readonly received = new Map<string, { objectId: string; at: number }>();
  readonly lastLookAt = new Map<string, number>();
  #moment = 0;

  constructor(isolates: readonly EventProcess[]) {
    for (const { look } of isolates) {
      look.during = async (objectId) => {
        const began = this.moment();
        await Promise.resolve();
        if (this.failuresLeft > 0) {
          this.failuresLeft -= 1;
          throw new Error("No answer");
        }
        const before = this.lastLookAt.get(objectId) ?? -1;
        this.lastLookAt.set(objectId, Math.max(before, began));
      };
    }
  }

  moment(): number {
    return this.#moment++;
  }
}
