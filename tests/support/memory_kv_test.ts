import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { asKvLike, type KvLike } from "../../kv/kv_like.ts";
import { MemoryKv } from "./memory_kv.ts";

const part: fc.Arbitrary<Deno.KvKeyPart> = fc.constantFrom(
  ...["", "a", "a\0", "a\0b", "aa", "b", "ä", "\u{1f600}"],
  ...[0, -0, -1, 1.5, 2, -Infinity],
  ...[0n, -1n, 1n, 255n, 256n, -256n, 2n ** 40n],
  ...[true, false],
  ...[[], [0], [0, 255, 1]].map((bytes) => Uint8Array.from(bytes)),
);
const key = fc.array(part, { minLength: 1, maxLength: 2 });
const value = fc.constantFrom<unknown>(
  ...[1, null, undefined, "text", Uint8Array.of(1, 2)],
  ...[{ a: [1, { b: null }], when: new Date(0) }, "x".repeat(70_000)],
);
const keys = fc.array(key, { minLength: 1, maxLength: 11 });
const step = fc.oneof(
  fc.record({
    kind: fc.constantFrom("set", "sum", "delete"),
    key,
    value,
    checks: fc.constantFrom("what is there", "nothing", "no check"),
  }),
  fc.record({ kind: fc.constant("get" as const), keys }),
  fc.record({
    kind: fc.constant("list" as const),
    selector: fc.oneof(
      fc.record({ prefix: fc.array(part, { maxLength: 1 }) }),
      fc.tuple(key, key).map(([start, end]) => ({ start, end })),
    ),
    options: fc.record({
      limit: fc.integer({ min: 1, max: 5 }),
      reverse: fc.boolean(),
    }),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A row whose value is null is there, and no number. */
const SUM_OF_NULL: Step[] = (["set", "sum"] as const).map((kind) => ({
  kind,
  key: ["a"],
  value: null,
  checks: "no check",
}));

/** Takes a step in a store, and tells all that can be seen of it. */
async function taken(kv: KvLike, step: Step): Promise<unknown> {
  try {
    switch (step.kind) {
      case "get":
        return (await kv.getMany(step.keys)).map(seen);
      case "list":
        return await pages(kv, step);
      default:
        return await committed(kv, step);
    }
  } catch (error) {
    return error instanceof Error ? error.name : error;
  }
}

async function committed(
  kv: KvLike,
  { kind, key, value, checks }: Extract<Step, { checks: string }>,
): Promise<unknown> {
  const atomic = kv.atomic();
  const { versionstamp } = await kv.get(key);
  if (checks === "what is there") atomic.check({ key, versionstamp });
  if (checks === "nothing") atomic.check({ key, versionstamp: null });
  if (kind === "set") atomic.set(key, value);
  else if (kind === "sum") atomic.sum(key, 2n ** 63n);
  else atomic.delete(key);
  const ended = await atomic.commit();
  const after = await kv.get(key);
  const isNew = ended.ok && after.versionstamp === ended.versionstamp;
  return { ok: ended.ok, isNew, after: seen(after) };
}

/** A list to its end, a page after the other. */
async function pages(
  kv: KvLike,
  { selector, options }: Extract<Step, { selector: unknown }>,
): Promise<unknown> {
  const found: unknown[] = [];
  let cursor: string | undefined;
  do {
    const listed = kv.list(selector, { ...options, ...cursor && { cursor } });
    const page = await Array.fromAsync(listed);
    found.push(page.map(seen));
    cursor = page.length < options.limit ? "" : listed.cursor;
  } while (cursor !== "" && found.length < 50);
  return found;
}

/** Versionstamps are each store's own. */
function seen({ key, value, versionstamp }: Deno.KvEntryMaybe<unknown>) {
  return { key, value, isThere: versionstamp !== null };
}

Deno.test("the store in memory answers as Deno KV does, whatever is done", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      using real = await Deno.openKv(":memory:");
      const memory = new MemoryKv();
      for (const step of steps) {
        assertEquals(
          await taken(memory, step),
          await taken(asKvLike(real), step),
        );
      }
    }),
    { numRuns: 300, examples: [[SUM_OF_NULL]] },
  );
});

Deno.test("what the store in memory answers can't be changed by who asked", async () => {
  const kv = new MemoryKv();
  const bid = { cents: 1, of: { whom: "a" } };
  const atomic = kv.atomic();
  atomic.set(["bid"], bid);
  await atomic.commit();
  bid.of.whom = "b";
  const { value } = await kv.get<typeof bid>(["bid"]);
  assertEquals(value?.of.whom, "a");
  assertEquals(Object.isFrozen(value?.of), true);
});
