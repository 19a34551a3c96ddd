import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { readDayClicks, totalsOf } from "../../../domain/clicks/day_clicks.ts";
import type { Day } from "../../../domain/day.ts";
import { startCounter, type TestCounter } from "../../support/click_world.ts";
import { type Fault, keyOf } from "../../support/faults.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

const DAYS = ["2026-11-18", "2026-11-19"] as Day[];
const ISOLATES = 2;

/** What may happen to the isolates of a service. */
type Action =
  | { do: "click"; isolate: number; day: number; visitor: number }
  | { do: "bot"; isolate: number; day: number }
  | { do: "book"; isolate: number }
  | { do: "fail"; isolate: number; fault: Fault; on: "commit" | "read" }
  | { do: "crash"; isolate: number };

const isolate = fc.nat(ISOLATES - 1);
const day = fc.nat(DAYS.length - 1);
const fault: fc.Arbitrary<Fault> = fc.constantFrom(
  { kind: "fail_before" },
  { kind: "fail_after" },
  { kind: "conflict" },
  { kind: "locked" },
  { kind: "resent" },
  { kind: "late" },
);
const click = fc.record({
  do: fc.constant("click" as const),
  isolate,
  day,
  visitor: fc.nat(11),
});
const calm: fc.Arbitrary<Action> = fc.oneof(
  { arbitrary: click, weight: 6 },
  fc.record({ do: fc.constant("bot" as const), isolate, day }),
  {
    arbitrary: fc.record({ do: fc.constant("book" as const), isolate }),
    weight: 3,
  },
);
const failing: fc.Arbitrary<Action> = fc.record({
  do: fc.constant("fail" as const),
  isolate,
  fault,
  on: fc.constant("commit" as const),
});
const crashing: fc.Arbitrary<Action> = fc.record({
  do: fc.constant("crash" as const),
  isolate,
});

Deno.test("any interleaving of clicks, bookings and failures counts every click once", async () => {
  const actions = fc.array(
    fc.oneof({ arbitrary: calm, weight: 6 }, failing),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(actions, async (all) => {
      await using world = await startWorld();
      for (const action of all) await world.play(action);
      await world.finish();
      for (const [at, day] of DAYS.entries()) {
        const { bots, visits, visitors } = world.noted[at] ?? fail();
        const { clicks, humanClicks } = await readDayClicks(world.test, day);
        assertEquals(clicks, bots + visits, "each is in the figures once");
        assertEquals(humanClicks, visitors.size, "each visitor counts once");
      }
    }),
    { numRuns: 60 },
  );
});

Deno.test("whatever crashes, figures have all that was booked and nothing that was not clicked", async () => {
  const actions = fc.array(
    fc.oneof({ arbitrary: calm, weight: 8 }, failing, crashing),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(actions, async (all) => {
      await using world = await startWorld();
      for (const action of all) await world.play(action);
      await world.finish();
      const totals = await Promise.all(
        DAYS.map((day) => readDayClicks(world.test, day)),
      );
      const clicks = totals.reduce((sum, each) => sum + each.clicks, 0);
      assert(
        clicks >= world.acknowledged,
        `${clicks} of ${world.acknowledged}`,
      );
      assert(clicks <= world.made, `${clicks} of ${world.made}`);
      for (const [at, { humanClicks }] of totals.entries()) {
        assert(humanClicks <= (world.noted[at] ?? fail()).visitors.size);
      }
    }),
    { numRuns: 60 },
  );
});

Deno.test("hours and countries add up to the human clicks", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(calm, { maxLength: 40 }), async (all) => {
      await using world = await startWorld();
      for (const action of all) await world.play(action);
      await world.finish();
      for (const day of DAYS) {
        const counts = await world.test.store.listClickCounts(day, {
          limit: 500,
        });
        const sum = (dimension: string) =>
          counts.filter((one) => one.dimension === dimension)
            .reduce((total, { count }) => total + count, 0);
        const { humanClicks, countries } = totalsOf(counts);
        assertEquals(sum("hour"), humanClicks);
        assertEquals(sum("country"), humanClicks);
        assertEquals(
          countries,
          counts.filter(({ dimension }) => dimension === "country").length,
        );
      }
    }),
    { numRuns: 30 },
  );
});

/** Some isolates over one store, and what the test knows of their clicks. */
class World implements AsyncDisposable {
  readonly test: TestStore;
  /** By the place of the Spotlight's day. */
  readonly noted = DAYS.map(() => ({
    bots: 0,
    visits: 0,
    visitors: new Set<number>(),
  }));
  made = 0;
  /** Clicks of which an isolate has said that they are booked. */
  acknowledged = 0;
  #isolates: Isolate[];

  constructor(test: TestStore) {
    this.test = test;
    this.#isolates = Array.from({ length: ISOLATES }, () => newIsolate(test));
  }

  async play(action: Action): Promise<void> {
    await this.#happen(action);
    for (const { kv } of this.#isolates) await kv.arrive();
  }

  async #happen(action: Action): Promise<void> {
    const isolate = this.#isolates[action.isolate] ?? fail();
    switch (action.do) {
      case "click":
      case "bot":
        return this.#click(isolate, action);
      case "book":
        return await this.#book(isolate);
      case "fail":
        return isolate.kv.inject({ ...action, key: keyOf("click_bookings") });
      case "crash":
        isolate.kv.crash();
        await isolate.counter.counter.close();
        this.#isolates[action.isolate] = newIsolate(this.test);
    }
  }

  /** Everybody books what is left, and stops. */
  async finish(): Promise<void> {
    for (const isolate of this.#isolates) {
      for (let tries = 0; isolate.waiting > 0; tries++) {
        assert(tries < 100, "it is booked in the end");
        await this.#book(isolate);
      }
      await isolate.counter.counter.close();
    }
  }

  #click(isolate: Isolate, action: Action & { do: "click" | "bot" }): void {
    const noted = this.noted[action.day] ?? fail();
    const day = DAYS[action.day] ?? fail();
    this.made += 1;
    isolate.waiting += 1;
    if (action.do === "bot") {
      noted.bots += 1;
      isolate.counter.click(day, { headers: { "user-agent": "curl/8" } });
    } else {
      noted.visits += 1;
      noted.visitors.add(action.visitor);
      isolate.counter.click(day, { address: `10.0.0.${action.visitor}` });
    }
  }

  async #book(isolate: Isolate): Promise<void> {
    await isolate.counter.book();
    // A timer that waits means that something has to be tried again.
    if (isolate.counter.timer.waiting.length > 0) return;
    this.acknowledged += isolate.waiting;
    isolate.waiting = 0;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.test.close();
  }
}

interface Isolate {
  counter: TestCounter;
  kv: TestStore["kv"];
  waiting: number;
}

async function startWorld(): Promise<World> {
  return new World(await openTestStore());
}

function newIsolate(test: TestStore): Isolate {
  const process = test.another();
  const counter = startCounter({ ...test, ...process });
  return { counter, kv: process.kv, waiting: 0 };
}

function fail(): never {
  throw new RangeError("no such isolate or day");
}
