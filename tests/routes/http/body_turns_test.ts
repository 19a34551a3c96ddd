import { assertEquals, assertRejects } from "@std/assert";
import { TemporaryFailure } from "../../../domain/failure.ts";
import {
  BodyTurns,
  READ_TOGETHER,
  TURN_MS,
} from "../../../routes/http/body_turns.ts";
import {
  ALL_MAX_MS,
  FORGOTTEN_MS_A_SECOND,
  UNCOUNTED_MS,
} from "../../../routes/http/reading_time.ts";

/** Turns whose clock and ends are a test's. */
class Turns {
  nowMs = 0;
  readonly read: string[] = [];
  readonly #ends: (() => void)[] = [];
  readonly turns = new BodyTurns({
    nowMs: () => this.nowMs,
    atTurnsEnd: (run) => void this.#ends.push(run),
  });

  /** A body has come that takes so long to be read. */
  come(network: string, tookMs = 0, name = network): Promise<void> {
    return this.turns.take(network).then(() => {
      this.read.push(name);
      this.nowMs += tookMs;
    });
  }

  /** All else has gone on. Answers what was read since the last time. */
  async next(): Promise<string[]> {
    await settled();
    this.#ends.splice(0).forEach((end) => end());
    await settled();
    return this.read.splice(0);
  }
}

/** Everything that waits for nothing has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

Deno.test("bodies are read as they come while that takes no time", async () => {
  const test = new Turns();
  for (const network of ["a", "b", "a"]) await test.come(network);
  test.nowMs += TURN_MS / 2;
  await test.come("c");
  assertEquals(test.read, ["a", "b", "a", "c"]);
});

Deno.test("once a turn has taken long others wait for the next, and networks take turns", async () => {
  const test = new Turns();
  const slow = test.come("a", UNCOUNTED_MS + 1);
  await slow;
  const rest = ["a1", "a2", "b1", "b2", "c1"].map((name) =>
    test.come(name.slice(0, 1), UNCOUNTED_MS + 1, name)
  );
  assertEquals(test.read.splice(0), ["a"]);
  const turns: string[][] = [];
  for (let turn = 0; turn < 6; turn++) turns.push(await test.next());
  assertEquals(turns, [["a1"], ["b1"], ["c1"], ["a2"], ["b2"], []]);
  await Promise.all(rest);
});

Deno.test("bodies that waited are read together while none is slow", async () => {
  const test = new Turns();
  await test.come("a", TURN_MS);
  const count = READ_TOGETHER + 2;
  const rest = Array.from({ length: count }, () => test.come("b"));
  assertEquals(test.read.splice(0), ["a"]);
  assertEquals((await test.next()).length, READ_TOGETHER);
  assertEquals((await test.next()).length, 2);
  assertEquals(await test.next(), []);
  await Promise.all(rest);
});

Deno.test("whose bodies took much is told to come again, waiting or not, and others are read", async () => {
  const test = new Turns();
  await test.come("slow", ALL_MAX_MS + UNCOUNTED_MS + 1);
  const waiting = test.come("slow");
  const other = test.come("other");
  const refused = assertRejects(() => waiting, TemporaryFailure);
  assertEquals(await test.next(), ["slow", "other"]);
  await Promise.all([refused, other]);
  await test.next();
  const { retryAfterS, detail } = await assertRejects(
    () => test.come("slow"),
    TemporaryFailure,
  );
  assertEquals(retryAfterS, 2);
  assertEquals(
    detail,
    "what was sent from your network took too long to be read, others go first",
  );
  test.nowMs += 1_000 / FORGOTTEN_MS_A_SECOND;
  await test.come("slow");
});

Deno.test("who is read in a turn beside a slow body shares its time", async () => {
  const test = new Turns();
  const together = [test.come("a"), test.come("b", 2 * ALL_MAX_MS)];
  await Promise.all(together);
  await test.next();
  for (const network of ["a", "b"]) {
    await assertRejects(() => test.come(network), TemporaryFailure);
  }
  await test.come("c");
});
