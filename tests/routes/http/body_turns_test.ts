import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { TemporaryFailure } from "../../../domain/failure.ts";
import {
  ALERT_MS,
  BodyTurns,
  TURN_MS,
  WAITING_BOUNDS,
} from "../../../routes/http/body_turns.ts";
import {
  ALL_MAX_MS,
  FORGOTTEN_MS_A_SECOND,
  UNCOUNTED_MS,
} from "../../../routes/http/reading_time.ts";

const SLOW_MS = UNCOUNTED_MS + 1;

/** Turns whose clocks and loop are a test's. */
class Turns {
  nowMs = 0;
  cpuMs = 0;
  readonly #soon: (() => void)[] = [];
  readonly #read: string[] = [];
  readonly #turns = new BodyTurns({
    nowMs: () => this.nowMs,
    cpuMs: () => this.cpuMs,
    soon: (run) => void this.#soon.push(run),
  });

  /** A body has come. Reading takes so long, of it so much of the processor. */
  come(
    network: string,
    tookMs = 0,
    cpuMs = tookMs,
    bytes = 1,
  ): Promise<void> {
    return this.#turns.take(network, bytes).then(() => {
      this.#read.push(network);
      this.nowMs += tookMs;
      this.cpuMs += cpuMs;
    });
  }

  /** A turn of the event loop. Answers whose bodies were read in it. */
  async next(): Promise<string[]> {
    for (const run of this.#soon.splice(0)) {
      run();
      await settled();
    }
    return this.#read.splice(0);
  }

  /** A body comes and is read, or refused. */
  async read(network: string, tookMs = 0, cpuMs = tookMs): Promise<void> {
    const turns = async () => {
      await this.next();
      await this.next();
    };
    await Promise.all([this.come(network, tookMs, cpuMs), turns()]);
  }
}

/** What waits for nothing else has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

Deno.test("bodies that come together are read in one turn, and networks take turns", async () => {
  const test = new Turns();
  const all = ["a", "a", "b", "c", "b"].map((each) =>
    test.come(each, UNCOUNTED_MS)
  );
  assertEquals(await test.next(), ["a", "b", "c", "a", "b"]);
  await Promise.all(all);
});

Deno.test("after bodies that took long all else goes on before the next, and networks take turns", async () => {
  for (
    const [tookMs, expected] of [
      [TURN_MS + 1, [["a"], ["b"], ["c", "a"], ["b"], ["a"], []]],
      [TURN_MS, [["a", "b"], ["c", "a", "b"], ["a"], [], [], []]],
    ] as const
  ) {
    const test = new Turns();
    const all = ["a", "a", "a", "b", "b", "c"].map((each) =>
      test.come(each, each === "c" ? 0 : tookMs)
    );
    const turns: string[][] = [];
    for (let turn = 0; turn < 6; turn++) turns.push(await test.next());
    assertEquals(turns, expected.map((each) => [...each]));
    await Promise.all(all);
  }
});

Deno.test("whose bodies took much is told to come again, waiting or not, and others are read", async () => {
  const test = new Turns();
  // From the first one on that is slow bodies are measured.
  await test.read("slow", SLOW_MS);
  await test.read("slow", ALL_MAX_MS + UNCOUNTED_MS + 1);
  const waiting = test.come("slow");
  const other = test.come("other");
  const refused = assertRejects(() => waiting, TemporaryFailure);
  assertEquals(await test.next(), ["other"]);
  await Promise.all([refused, other]);
  const { retryAfterS, detail } = await assertRejects(
    () => test.read("slow"),
    TemporaryFailure,
  );
  assertEquals(retryAfterS, 2);
  assertEquals(
    detail,
    "what was sent from your network took too long to be read, others go first",
  );
  test.nowMs += 1_000 / FORGOTTEN_MS_A_SECOND;
  await test.read("slow");
});

Deno.test("time in which others had the processor is counted for bodies that are slow alone", async () => {
  const test = new Turns();
  for (let nth = 0; nth < 100; nth++) {
    await test.read("quick", 20, UNCOUNTED_MS);
  }
  await test.read("slow", ALL_MAX_MS + SLOW_MS, SLOW_MS);
  await assertRejects(() => test.read("slow"), TemporaryFailure);
});

Deno.test("of bodies that wait so many bytes are kept, and of one network fewer", async () => {
  const test = new Turns();
  const { network, process } = WAITING_BOUNDS;
  const kept = [test.come("a", 0, 0, network), test.come("b", 0, 0, network)];
  await assertRejects(() => test.come("a", 0, 0, 1), TemporaryFailure);
  await assertRejects(
    () => test.come("c", 0, 0, process - 2 * network + 1),
    TemporaryFailure,
  );
  assertEquals(await test.next(), ["a", "b"]);
  await Promise.all(kept);
  await test.read("a");
});

Deno.test("a body that is slow once in a while is not counted", async () => {
  const test = new Turns();
  for (let nth = 0; nth < 100; nth++) {
    await test.read("once", 10 * ALL_MAX_MS);
    test.nowMs += ALERT_MS;
  }
});

Deno.test("whoever sends what in which order, whose bodies are quick is never refused, and every body is read or refused", async () => {
  const bodies = fc.array(
    fc.record({
      network: fc.constantFrom("quick", "a", "b"),
      tookMs: fc.double({ min: 0, max: 100, noNaN: true }),
      isTurn: fc.boolean(),
    }),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(bodies, async (all) => {
      const test = new Turns();
      const told: Promise<unknown>[] = [];
      for (const { network, tookMs, isTurn } of all) {
        const isQuick = network === "quick";
        const ms = isQuick ? Math.min(tookMs, UNCOUNTED_MS) : tookMs;
        const read = test.come(network, ms);
        told.push(isQuick ? read : read.catch(() => {}));
        if (isTurn) await test.next();
      }
      for (const _ of all) await test.next();
      await Promise.all(told);
    }),
    { numRuns: 50 },
  );
});
