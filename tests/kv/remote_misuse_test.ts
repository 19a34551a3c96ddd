import { assertEquals, assertRejects } from "@std/assert";
import { OutcomeUnknown, StoreUnavailable } from "../../domain/failure.ts";
import { guardedCommit } from "../../kv/commit.ts";
import { DEFAULT_PATIENCE, guardedRead, isMisuse } from "../../kv/guard.ts";
import { asKvLike, type KvAtomic } from "../../kv/kv_like.ts";
import { type ConnectedKv, connectKv } from "../support/kv_connect/client.ts";

function commit(
  { kv }: ConnectedKv,
  fill: (atomic: KvAtomic) => void,
): Promise<unknown> {
  return guardedCommit(asKvLike(kv), fill, { patience: DEFAULT_PATIENCE });
}

/** What a KV server refuses and the embedded store refuses or takes. */
const MISTAKES: readonly [string, (atomic: KvAtomic) => void][] = [
  ["a counter whose row is no counter", (atomic) => atomic.sum(["text"], 1n)],
  ["eleven checks", (atomic) => {
    for (let at = 0; at < 11; at++) {
      atomic.check({ key: ["row", at], versionstamp: null });
    }
    atomic.set(["row"], 1);
  }],
  ["a value too large", (atomic) => {
    atomic.set(["row"], new Uint8Array(70_000));
  }],
];

for (const [what, fill] of MISTAKES) {
  Deno.test(`over a network ${what} is a bug that stays what it is`, async () => {
    await using connected = await connectKv();
    await connected.kv.set(["text"], "one");
    const error = await assertRejects(() => commit(connected, fill), Error);
    assertEquals(isMisuse(error), true, error.message);
    assertEquals((await connected.kv.get(["row"])).value, null);
  });
}

Deno.test("over a network a read that the server refuses is a bug that stays what it is", async () => {
  const refused = new Error(
    "KV Connect failed to call 'https://kv.example/v2/snapshot_read' " +
      "(status=400 Bad Request): Too many read ranges",
  );
  const read = () => Promise.reject(refused);
  const error = await assertRejects(() => guardedRead(read, DEFAULT_PATIENCE));
  assertEquals(error, refused);
});

for (
  const status of [
    "401 Unauthorized",
    "404 Not Found",
    "410 Gone",
    "421 Misdirected Request",
    "429 Too Many Requests",
  ]
) {
  Deno.test(`over a network ${status} is no fault of what was asked`, async () => {
    const read = () =>
      Promise.reject(
        new Error(
          `KV Connect failed to call 'https://kv' (status=${status}): `,
        ),
      );
    const asked = () => guardedRead(read, DEFAULT_PATIENCE);
    await assertRejects(asked, StoreUnavailable);
  });
}

Deno.test("over a network a commit of whose answer only half arrives is of unknown outcome", async () => {
  await using connected = await connectKv({
    shareBrokenBody: 1,
    faultsLeft: 1,
  });
  const set = (atomic: KvAtomic) => atomic.set(["row"], 1);
  await assertRejects(() => commit(connected, set), OutcomeUnknown);
  assertEquals((await connected.kv.get(["row"])).value, 1);
});
