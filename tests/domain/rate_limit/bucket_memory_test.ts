import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { TOKEN } from "../../../domain/rate_limit/bucket_level.ts";
import { BucketMemory } from "../../../domain/rate_limit/bucket_memory.ts";

const NOW_MS = Date.parse("2026-11-20T12:00:00.000Z");
const POLICY = { capacity: 120, refillPerS: 2 };

function memoryOf(maxBuckets: number): BucketMemory {
  return new BucketMemory(maxBuckets, (id) => `#${id}`);
}

/** A bucket with so many tokens, which nobody has asked for of late. */
function remembered(memory: BucketMemory, id: string, tokens: number) {
  const bucket = memory.of(id, POLICY, NOW_MS);
  bucket.remember({ milliTokens: tokens * TOKEN, atMs: NOW_MS }, "1");
  return bucket;
}

Deno.test("BucketMemory keeps one bucket an id, under its hashed key", () => {
  const memory = memoryOf(10);
  const bucket = memory.of("192.0.2.1", POLICY, NOW_MS);
  assertEquals(bucket.key, "#192.0.2.1");
  assert(memory.of("192.0.2.1", POLICY, NOW_MS) === bucket);
  assert(memory.of("192.0.2.2", POLICY, NOW_MS) !== bucket);
});

Deno.test("BucketMemory never holds more than it may", () => {
  const memory = memoryOf(100);
  for (let n = 0; n < 10_000; n++) {
    memory.of(`${n % 3_000}`, POLICY, NOW_MS + n);
    assert(memory.size <= 100);
  }
  assertEquals(memory.size, 100);
});

Deno.test("BucketMemory evicts a full bucket before any other", () => {
  const memory = memoryOf(3);
  const empty = remembered(memory, "empty", 0);
  const full = remembered(memory, "full", 120);
  const half = remembered(memory, "half", 60);
  memory.of("new", POLICY, NOW_MS);
  assert(memory.of("empty", POLICY, NOW_MS) === empty);
  assert(memory.of("half", POLICY, NOW_MS) === half);
  assertNotEquals(memory.of("full", POLICY, NOW_MS), full);
});

Deno.test("BucketMemory evicts a bucket that has filled up by now", () => {
  const memory = memoryOf(2);
  const older = remembered(memory, "older", 0);
  const newer = remembered(memory, "newer", 119);
  memory.of("new", POLICY, NOW_MS + 500);
  assert(memory.of("older", POLICY, NOW_MS + 500) === older);
  assert(memory.of("newer", POLICY, NOW_MS + 500) !== newer);
});

Deno.test("BucketMemory evicts who was not asked for since the last round", () => {
  const memory = memoryOf(3);
  remembered(memory, "a", 1);
  remembered(memory, "b", 1);
  remembered(memory, "c", 1);
  memory.of("d", POLICY, NOW_MS); // a whole round: a goes, b and c had their warning
  const asked = memory.of("b", POLICY, NOW_MS);
  const kept = memory.of("d", POLICY, NOW_MS);
  memory.of("e", POLICY, NOW_MS); // c goes
  assert(memory.of("b", POLICY, NOW_MS) === asked);
  assert(memory.of("d", POLICY, NOW_MS) === kept);
});

Deno.test("BucketMemory never evicts a bucket somebody waits for", () => {
  const memory = memoryOf(2);
  const first = memory.of("first", POLICY, NOW_MS);
  const second = memory.of("second", POLICY, NOW_MS);
  first.queued = second.queued = true;
  memory.of("third", POLICY, NOW_MS);
  assertEquals(memory.size, 3); // rather one too many than two of one bucket
  assert(memory.of("first", POLICY, NOW_MS) === first);
  assert(memory.of("second", POLICY, NOW_MS) === second);
});

Deno.test("BucketMemory goes round twice to find the one bucket that nobody waits for", () => {
  const memory = memoryOf(2);
  memory.of("waited for", POLICY, NOW_MS).queued = true;
  const last = memory.of("asked for lately", POLICY, NOW_MS);
  last.recent = true;
  memory.of("new", POLICY, NOW_MS);
  assertEquals(memory.size, 2);
  assert(memory.find("asked for lately") === null);
});
