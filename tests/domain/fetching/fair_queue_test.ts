import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import {
  DOCUMENT_QUEUE,
  FairQueue,
  type FairQueueLimits,
} from "../../../domain/fetching/fair_queue.ts";
import { FetchBusy } from "../../../domain/fetching/fetcher.ts";
import { ManualClock } from "../../support/clock.ts";

const LIMITS: FairQueueLimits = {
  running: 4,
  runningOfOne: 2,
  oneEachFrom: 4,
  runningInLane: 99,
  startsPerS: 100,
  waiting: 10,
  waitingOfOne: 3,
  maxWaitMs: 5_000,
};

/** A queue whose time and work are in the test's hands. */
class Bench {
  readonly clock = new ManualClock();
  readonly queue: FairQueue;
  /** Who runs, in the order they began. */
  readonly begun: string[] = [];
  readonly refused: string[] = [];
  readonly ended: Promise<void>[] = [];
  readonly #ends = new Map<string, (() => void)[]>();
  #timers: { atMs: number; run: () => void }[] = [];

  constructor(limits: Partial<FairQueueLimits> = {}) {
    this.queue = new FairQueue({
      clock: this.clock,
      startTimer: (run, ms) => {
        const timer = { atMs: this.clock.now() + ms, run };
        this.#timers.push(timer);
        return () => {
          this.#timers = this.#timers.filter((each) => each !== timer);
        };
      },
      limits: { ...LIMITS, ...limits },
    });
  }

  /** Timers that were neither called off nor are due. */
  get timers(): number {
    return this.#timers.length;
  }

  running(asker?: string): number {
    const all = [...this.#ends];
    return all.filter(([name]) => asker === undefined || name === asker)
      .reduce((sum, [, ends]) => sum + ends.length, 0);
  }

  ask(asker: string, host = `host ${this.ended.length}`): void {
    const asked = this.queue.run(asker, host, () => {
      this.begun.push(asker);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#ends.set(asker, [...this.#ends.get(asker) ?? [], resolve]);
      return promise;
    });
    this.ended.push(asked.catch((error) => {
      assert(error instanceof FetchBusy);
      this.refused.push(asker);
    }));
  }

  /** Ends the oldest work of an asker. */
  async end(asker: string): Promise<void> {
    const [end, ...others] = this.#ends.get(asker) ?? [];
    this.#ends.set(asker, others);
    end?.();
    await settle();
  }

  async endAll(): Promise<void> {
    while (this.running() > 0) {
      for (const asker of [...this.#ends.keys()]) await this.end(asker);
    }
  }

  async advance(ms: number): Promise<void> {
    this.clock.advance(ms);
    const due = this.#timers.filter(({ atMs }) => atMs <= this.clock.now());
    this.#timers = this.#timers.filter((each) => !due.includes(each));
    for (const { run } of due) run();
    await settle();
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await null;
}

Deno.test("run() begins at once, in the same step, when nothing stands in its way", async () => {
  const bench = new Bench();
  bench.ask("a");
  assertEquals(bench.begun, ["a"]);
  assertEquals(bench.timers, 0, "its deadline is called off");
  await bench.endAll();
});

Deno.test("one asker runs its share at most, however much it asks for", async () => {
  const bench = new Bench();
  for (let at = 0; at < 9; at++) bench.ask("greedy");
  assertEquals(bench.running("greedy"), LIMITS.runningOfOne);
  bench.ask("honest");
  bench.ask("honest");
  assertEquals(bench.running("honest"), 2, "room was left for it");
  await settle();
  assertEquals(bench.refused.length, 9 - 2 - LIMITS.waitingOfOne);
  await bench.endAll();
});

Deno.test("askers with slow work leave room for others, who run at once", async () => {
  for (const greedy of [5, 8, 12]) {
    const bench = new Bench({ ...DOCUMENT_QUEUE, startsPerS: 1_000 });
    for (let at = 0; at < 8 * greedy; at++) {
      bench.ask(`greedy ${at % greedy}`, `slow ${at}`);
    }
    assertEquals(bench.running(), Math.max(10, greedy));
    for (let at = 0; at < 8; at++) bench.ask(`honest ${at}`, `fast ${at}`);
    const begun = bench.begun.filter((each) => each.startsWith("honest"));
    assertEquals(begun.length, 8, `besides ${greedy}`);
    await bench.endAll();
  }
});

Deno.test("a place that gets free goes to who has none", async () => {
  const bench = new Bench({ running: 3, runningOfOne: 3, oneEachFrom: 3 });
  for (let at = 0; at < 4; at++) bench.ask("greedy");
  bench.ask("late");
  await bench.end("greedy");
  assertEquals(bench.begun, ["greedy", "greedy", "greedy", "late"]);
  await bench.endAll();
});

Deno.test("work in one slow lane waits for that lane, and nothing else waits for it", async () => {
  const bench = new Bench({ ...DOCUMENT_QUEUE, startsPerS: 1_000 });
  for (let at = 0; at < 30; at++) bench.ask(`asker ${at}`, "slow");
  assertEquals(bench.running(), DOCUMENT_QUEUE.runningInLane);
  bench.ask("asker 0", "slow");
  bench.ask("asker 20", "fast");
  assertEquals(bench.running("asker 20"), 1);
  await bench.end("asker 0");
  assertEquals(bench.begun, ["asker 0", "asker 1", "asker 20", "asker 2"]);
  await bench.endAll();
});

Deno.test("one asker has one of the places in a lane, another has the next", async () => {
  const bench = new Bench({ runningInLane: 2 });
  for (let at = 0; at < 3; at++) bench.ask("greedy", "same");
  bench.ask("honest", "same");
  assertEquals(bench.begun, ["greedy", "honest"]);
  await bench.endAll();
});

Deno.test("askers take turns, whoever asked for more", async () => {
  const bench = new Bench({ running: 1, runningOfOne: 1 });
  bench.ask("first");
  for (let at = 0; at < 3; at++) bench.ask("greedy");
  bench.ask("one");
  bench.ask("two");
  for (let at = 0; at < 6; at++) await bench.end(bench.begun.at(-1) ?? "");
  assertEquals(bench.begun, [
    "first",
    "greedy",
    "one",
    "two",
    "greedy",
    "greedy",
  ]);
});

Deno.test("who waits too long is refused, and its place goes to others", async () => {
  const bench = new Bench({ running: 1 });
  bench.ask("slow");
  for (let at = 0; at < 3; at++) bench.ask("waiting");
  await bench.advance(4_999);
  assertEquals(bench.refused, []);
  await bench.advance(1);
  assertEquals(bench.refused, ["waiting", "waiting", "waiting"]);
  bench.ask("later");
  await bench.end("slow");
  assertEquals(bench.begun, ["slow", "later"]);
  await bench.endAll();
  assertEquals(bench.timers, 0);
});

Deno.test("no more wait than the queue holds in all", async () => {
  const bench = new Bench({ running: 1 });
  for (let at = 0; at <= LIMITS.waiting + 2; at++) bench.ask(`asker ${at}`);
  await settle();
  assertEquals(bench.refused.length, 2);
  await bench.endAll();
});

Deno.test("no more begin in any second than the pace allows, and who waits for it begins then", async () => {
  const bench = new Bench({ running: 99, runningOfOne: 99, startsPerS: 3 });
  for (let at = 0; at < 5; at++) bench.ask(`asker ${at}`);
  assertEquals(bench.begun.length, 3);
  await bench.advance(999);
  assertEquals(bench.begun.length, 3);
  await bench.advance(1);
  assertEquals(bench.begun.length, 5);
  await bench.endAll();
});

Deno.test("a clock set back stops nobody", async () => {
  const bench = new Bench({ startsPerS: 1 });
  bench.ask("a");
  bench.clock.advance(-3_600_000);
  bench.ask("b");
  assertEquals(bench.begun, ["a", "b"]);
  await bench.endAll();
});

Deno.test("work that fails gives its place back and tells who asked", async () => {
  const bench = new Bench({ running: 1 });
  const failed = bench.queue.run(
    "a",
    "host",
    () => Promise.reject(new Error("no")),
  );
  await assertRejects(() => failed, Error, "no");
  bench.ask("b");
  assertEquals(bench.begun, ["b"]);
  await bench.endAll();
});

Deno.test("whatever is asked for, bounds hold and everybody is answered", async () => {
  const askers = ["a", "b", "c", "d"];
  const action = fc.oneof(
    fc.record({ do: fc.constant("ask"), of: fc.constantFrom(...askers) }),
    fc.record({ do: fc.constant("end"), of: fc.constantFrom(...askers) }),
    fc.record({ do: fc.constant("advance"), of: fc.constant("") }),
  );
  const script = fc.array(action, { maxLength: 80 });
  await fc.assert(fc.asyncProperty(script, async (all) => {
    const bench = new Bench({ startsPerS: 3 });
    for (const { do: what, of } of all) {
      if (what === "ask") bench.ask(of);
      else if (what === "end") await bench.end(of);
      else await bench.advance(700);
      assert(bench.running() <= LIMITS.running);
      for (const each of askers) {
        assert(bench.running(each) <= LIMITS.runningOfOne);
      }
    }
    await bench.endAll();
    for (let at = 0; at < 20; at++) {
      await bench.advance(1_000);
      await bench.endAll();
    }
    await Promise.all(bench.ended);
    assertEquals(bench.begun.length + bench.refused.length, bench.ended.length);
    assertEquals(bench.timers, 0);
  }));
});
