import { assert, assertEquals, assertRejects } from "@std/assert";
import { OutcomeUnknown } from "../../domain/failure.ts";
import { Refused } from "../../domain/refusal.ts";
import { dump } from "../../kv/dump.ts";
import { readSchema } from "../../kv/schema.ts";
import { findUnfinishedRestore } from "../../kv/unfinished_restore.ts";
import { restore, type RestoreOptions } from "../../tools/restore_backup.ts";
import { TEST_KEYS } from "../support/keys.ts";
import { openTestStore, type TestStore } from "../support/store.ts";

const ROWS = 5_000;
/** Rows of a commit, see the module. */
const BATCH = 900;

Deno.test("restore() that was cut off goes on behind the rows that are there", async () => {
  const text = await largeBackup();
  await using to = await openTestStore({
    // The commits of the mark and of three batches go through.
    faults: [{ on: "commit", nth: 5, fault: { kind: "fail_before" } }],
  });
  await assertRejects(() => restore(into(to, text)), OutcomeUnknown);
  const found = await findUnfinishedRestore(to.realKv);
  assertEquals(found?.mark.done, 3 * BATCH);
  assert((await to.store.currentHold())?.isWhole === false);

  const { kv } = to.another();
  const summary = await restore({ ...into(to, text), kv });
  assertEquals([summary.rows, summary.hold], [ROWS + 1, "restored"]);
  const again = kv.commits.flatMap(({ writes }) => writes)
    .filter(({ key }) => key[0] === "row");
  assertEquals(again.length, ROWS - 3 * BATCH);
  assertEquals(await rowsOf(to), ROWS);
});

Deno.test("a store says which version its rows are of only once all of them are there", async () => {
  const text = await largeBackup();
  await using to = await openTestStore({
    faults: [{ on: "commit", nth: 7, fault: { kind: "fail_before" } }],
  });
  await assertRejects(() => restore(into(to, text)), OutcomeUnknown);
  // What a service started over half a store would write.
  await put(to, ["schema"], { version: 9, readableFrom: 9, migration: null });
  await restore({ ...into(to, text), kv: to.another().kv });
  assertEquals((await readSchema(to.realKv)).row.version, 2);
});

Deno.test("of two restores of the same backup at once one goes on, and the other writes nothing more", async () => {
  const text = await largeBackup();
  await using to = await openTestStore();
  const gate = Promise.withResolvers<void>();
  const first = to.another([
    { on: "commit", nth: 3, fault: { kind: "hold", until: gate.promise } },
  ]);
  const held = restore({ ...into(to, text), kv: first.kv });
  const isHeld = assertRejects(() => held, Refused);
  while (first.kv.commits.length < 2) await to.realKv.get(["any"]);
  await restore({ ...into(to, text), kv: to.another().kv });
  gate.resolve();
  await isHeld;
  assertEquals(await rowsOf(to), ROWS);
  assertEquals(await findUnfinishedRestore(to.realKv), null);
});

Deno.test("restore() holds a commit of rows at most, however long the backup is", async () => {
  const text = await largeBackup();
  await using to = await openTestStore();
  const lines = text.split("\n").map((line) => `${line}\n`).slice(0, -1);
  let read = 0;
  let most = 0;
  const encoder = new TextEncoder();
  // A line is read when it is asked for, not before.
  const open = () => {
    let at = 0;
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        const line = lines[at++];
        if (line === undefined) return controller.close();
        read += 1;
        controller.enqueue(encoder.encode(line));
        const written = to.kv.commits.flatMap(({ writes }) => writes)
          .filter(({ key }) => key[0] === "row").length;
        const ofThisPass = read - lines.length;
        if (ofThisPass > 0) most = Math.max(most, ofThisPass - written);
      },
    }, { highWaterMark: 0 });
  };
  await restore({ ...into(to, ""), open });
  assertEquals(read, 2 * lines.length);
  // Header, trailer and schema are lines as well.
  assert(most >= BATCH && most <= BATCH + 3, `${most} rows were held`);
});

async function fill({ realKv }: TestStore): Promise<void> {
  for (let n = 0; n < ROWS; n += 500) {
    const atomic = realKv.atomic();
    for (let at = n; at < n + 500; at++) atomic.set(["row", at], at);
    await atomic.commit();
  }
}

async function largeBackup(): Promise<string> {
  await using from = await openTestStore();
  await fill(from);
  await put(from, ["schema"], { version: 2, readableFrom: 1, migration: null });
  const options = { keys: TEST_KEYS };
  return await new Response(dump(from.realKv, options)).text();
}

async function put(
  { realKv }: TestStore,
  key: Deno.KvKey,
  value: unknown,
): Promise<void> {
  const atomic = realKv.atomic();
  atomic.set(key, value);
  await atomic.commit();
}

async function rowsOf({ realKv }: TestStore): Promise<number> {
  let rows = 0;
  for await (const _ of realKv.list({ prefix: ["row"] })) rows += 1;
  return rows;
}

function into({ kv, clock }: TestStore, text: string): RestoreOptions {
  const open = () => new Blob([text]).stream();
  return { kv, clock, open, keys: TEST_KEYS };
}
