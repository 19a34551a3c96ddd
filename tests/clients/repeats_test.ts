import { assert, assertEquals, assertRejects } from "@std/assert";
import { REFRESH_GRACE_MS } from "../../domain/oauth/refresh_line.ts";
import { repeated, REPEATS_END_MS } from "../../clients/cli/repeats.js";

/** A machine whose time passes only while something is waited for. */
class Machine {
  #nowMs = 1_000_000;
  readonly beganMs = this.#nowMs;
  readonly sentAfterMs: number[] = [];

  readonly now = () => this.#nowMs;
  readonly pause = (ms: number) => {
    this.#nowMs += ms;
    return Promise.resolve();
  };

  /** A request whose answer never comes: it is given up in the end. */
  silent(limitMs: number): (leftMs: number) => Promise<never> {
    return (leftMs) => {
      this.sentAfterMs.push(this.#nowMs - this.beganMs);
      this.#nowMs += Math.min(leftMs, limitMs);
      return Promise.reject(new Error("late"));
    };
  }
}

Deno.test("repeated() asks again while an answer that got lost is given again, and never later", async () => {
  const slow = new Machine();
  await assertRejects(() => repeated(slow.silent(15_000), () => true, slow));
  assertEquals(slow.sentAfterMs, [0, 16_000]);
  assertEquals(slow.now() - slow.beganMs, REPEATS_END_MS);
  const quick = new Machine();
  await assertRejects(() => repeated(quick.silent(10), () => true, quick));
  assertEquals(quick.sentAfterMs, [0, 1_010, 2_020, 3_030]);
  assert(REPEATS_END_MS < REFRESH_GRACE_MS);
});

Deno.test("repeated() asks once where a repeat would do harm", async () => {
  const machine = new Machine();
  const ask = machine.silent(10);
  await assertRejects(() => repeated(ask, () => false, machine));
  assertEquals(machine.sentAfterMs, [0]);
});
