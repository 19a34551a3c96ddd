import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { connectKv } from "./client.ts";
import { readCommit, readReads, readWatched } from "./requests.ts";
import { type Bytes, joined, Message, Misuse } from "./wire.ts";

const KEYS = Array.from({ length: 11 }, (_, at) => ["row", at]);

/** What is over a limit of the server, and the sentence that it answers. */
const TOO_MUCH: readonly [string, (kv: Deno.Kv) => Promise<unknown>][] = [
  ["Too many checks included in atomic write.", (kv) => {
    const checks = KEYS.map((key) => ({ key, versionstamp: null }));
    return kv.atomic().check(...checks).set(["row"], 1).commit();
  }],
  [
    "Failed to perform 'sum' mutation on a non-U64 value in the database",
    async (kv) => {
      await kv.set(["text"], "one");
      return await kv.atomic().sum(["text"], 1n).commit();
    },
  ],
  [
    "Failed to perform 'min' mutation on a non-U64 value in the database",
    async (kv) => {
      await kv.set(["text"], "one");
      return await kv.atomic().min(["text"], 1n).commit();
    },
  ],
];

for (const [sentence, ask] of TOO_MUCH) {
  Deno.test(`the KV Connect server refuses: ${sentence}`, async () => {
    await using connected = await connectKv();
    const { kv, server } = connected;
    const error = await assertRejects(() => ask(kv), Error);
    assertEquals(error.message.endsWith(`: ${sentence}`), true, error.message);
    assertEquals(server.trace.at(-1)?.outcome, "refused");
    assertEquals(server.trace.at(-1)?.why, sentence);
  });
}

Deno.test("the KV Connect server takes ten checks and a value of 64 KiB", async () => {
  await using connected = await connectKv();
  const { kv } = connected;
  const checks = KEYS.slice(1).map((key) => ({ key, versionstamp: null }));
  const value = new Uint8Array(65_536).fill(7);
  const { ok } = await kv.atomic().check(...checks).set(["row"], value)
    .commit();
  assertEquals(ok, true);
  assertEquals((await kv.get(["row"])).value, value);
});

Deno.test("the KV Connect server refuses a commit of over 800 KiB whole", async () => {
  await using connected = await connectKv();
  const { kv } = connected;
  const value = new Uint8Array(65_536);
  const atomic = kv.atomic();
  for (const key of KEYS) atomic.set(key, value);
  assertEquals((await atomic.commit()).ok, true);
  const larger = kv.atomic();
  for (const key of KEYS) larger.set(["large", ...key], value);
  for (const at of [11, 12]) larger.set(["large", at], value);
  // The client knows this limit itself.
  await assertRejects(() => larger.commit(), TypeError);
  assertEquals((await kv.get(["large", "row", 0])).value, null);
});

/** A range from one key to another. */
function rangeOf(keyBytes: number, limit: number): Bytes {
  const key = new Uint8Array(keyBytes);
  return new Message().bytes(1, key).bytes(2, key).number(3, limit).finish();
}

function repeated(count: number, message: Bytes): Bytes {
  return joined(
    Array.from(
      { length: count },
      () => new Message().always(1, message).finish(),
    ),
  );
}

/** What Deno's client refuses itself, and others may send. */
const REFUSED_BODIES: readonly [string, () => unknown][] = [
  ["eleven ranges", () => readReads(repeated(11, rangeOf(1, 1)))],
  ["1,001 entries", () => readReads(repeated(7, rangeOf(1, 143)))],
  ["a range of nothing", () => readReads(repeated(1, rangeOf(1, 0)))],
  ["a long key to read", () => readReads(repeated(1, rangeOf(2_050, 1)))],
  ["eleven watched keys", () => readWatched(repeated(11, rangeOf(1, 0)))],
  [
    "an unknown mutation",
    () =>
      readCommit(
        new Message().bytes(2, new Message().number(3, 8).finish()).finish(),
      ),
  ],
  [
    "a queue",
    () => readCommit(new Message().always(3, Uint8Array.of()).finish()),
  ],
  ["half a message", () => readReads(rangeOf(10, 1).slice(0, 5))],
];

for (const [what, read] of REFUSED_BODIES) {
  Deno.test(`the KV Connect server refuses ${what}`, () => {
    assertThrows(read, Misuse);
  });
}

Deno.test("the KV Connect server takes ten ranges of a thousand entries", () => {
  assertEquals(readReads(repeated(10, rangeOf(2_049, 100))).length, 10);
  assertEquals(readWatched(repeated(10, rangeOf(1, 0))).length, 10);
});
