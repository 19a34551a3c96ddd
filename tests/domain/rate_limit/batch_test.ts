import { assertEquals } from "@std/assert";
import { Batch } from "../../../domain/rate_limit/batch.ts";
import { AskerLine, Bucket } from "../../../domain/rate_limit/bucket.ts";

const POLICY = { capacity: 120, refillPerS: 2 };

/** Three buckets by the names of their letters. */
function threeBuckets() {
  const bucket = (id: string) => new Bucket(id, id, POLICY);
  return { a: bucket("a"), b: bucket("b"), c: bucket("c") };
}

/** A line in which somebody waits for each of these sets of buckets. */
function lineOf(...wanted: Bucket[][]): AskerLine {
  const line = new AskerLine("a");
  for (const buckets of wanted) {
    const ends = { resolve() {}, reject() {} };
    line.wait({ buckets, isJoint: true, sinceMs: 0, ...ends });
  }
  return line;
}

Deno.test("a line's turn is its first, and those behind who want nothing more", () => {
  const { a, b } = threeBuckets();
  const line = lineOf([a], [a], [a, b], [a]);
  const batch = new Batch(10);
  assertEquals(batch.admit(line, () => false), true);
  assertEquals([...batch.buckets], [a]);
  assertEquals(line.waiters.length, 2);
});

Deno.test("a line whose first are answered has its turn with who comes next", () => {
  const { a, b, c } = threeBuckets();
  const line = lineOf([a], [b], [c]);
  const [answered] = line.waiters;
  const batch = new Batch(10);
  assertEquals(batch.admit(line, (waiter) => waiter === answered), true);
  assertEquals([...batch.buckets], [b]);
  assertEquals(line.waiters.length, 1);
});
