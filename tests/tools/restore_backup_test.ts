import { assert, assertEquals, assertRejects } from "@std/assert";
import { OutcomeUnknown } from "../../domain/failure.ts";
import { Refused } from "../../domain/refusal.ts";
import { dump } from "../../kv/dump.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import { findUnfinishedRestore } from "../../kv/unfinished_restore.ts";
import { restore, type RestoreOptions } from "../../tools/restore_backup.ts";
import { spool } from "../../tools/spool.ts";
import { backupRows } from "../support/backup_rows.ts";
import { everyCrashPoint } from "../support/faults.ts";
import { TEST_KEYS } from "../support/keys.ts";
import {
  asPlanned,
  openTestStore,
  testPatience,
  type TestStore,
} from "../support/store.ts";
import { account, day, sandboxJob } from "../kv/records.ts";

Deno.test("restore() brings back a store that answers as before", async () => {
  await using from = await openTestStore();
  await from.store.transact((tx) => {
    tx.accounts.save(account("acc", "a@x.example"));
    tx.bidCounts.add(3, day("2026-11-20"));
    tx.touchSpotlights();
  });
  await using to = await openTestStore();
  const summary = await restore(into(to, await backupOf(from.realKv)));
  assertEquals(summary, {
    rows: 4,
    expired: 0,
    consistent: true,
    verified: true,
    hold: "restored",
  });
  const { store } = to;
  assertEquals(await store.accounts.find("acc"), account("acc", "a@x.example"));
  await store.transact((tx) => tx.bidCounts.add(1, day("2026-11-20")));
  const [count] = await store.getMany([store.bidCounts.ref(day("2026-11-20"))]);
  assertEquals(count, 4);
  assert(await store.spotlightsVersion() !== "");
});

Deno.test("restore() of an empty backup leaves nothing but the hold", async () => {
  await using from = await openTestStore();
  await using to = await openTestStore();
  const summary = await restore(into(to, await backupOf(from.realKv)));
  assertEquals(summary, {
    rows: 0,
    expired: 0,
    consistent: true,
    verified: true,
    hold: "restored",
  });
  assertEquals(await rowsIn(to.realKv), 1);
  assert(await to.store.currentHold());
});

Deno.test("restore() refuses a backup cut short anywhere, and writes nothing", async () => {
  const text = await smallBackup();
  await using to = await openTestStore();
  for (let length = 0; length < text.length; length++) {
    await assertRefused(to, text.slice(0, length), "invalid_input");
  }
  assertEquals(to.kv.commits.length, 0);
  // Not even the last line feed may be missing, and that is all there was.
  await restore(into(to, text));
});

Deno.test("restore() refuses a backup with any character changed", async () => {
  const text = await smallBackup();
  await using to = await openTestStore();
  for (let at = 0; at < text.length; at++) {
    const other = text[at] === "1" ? "2" : "1";
    const changed = text.slice(0, at) + other + text.slice(at + 1);
    await assertRefused(to, changed, "invalid_input");
  }
  assertEquals(to.kv.commits.length, 0);
});

Deno.test("restore() refuses what is no backup of its own", async () => {
  const text = await smallBackup();
  const lines = text.split("\n");
  const [header = "", first = "", second = "", trailer = ""] = lines;
  const others = [
    "",
    "\n",
    "{}\n",
    "PK\x03\x04",
    text.replace('"version":4', '"version":5'),
    text.replace('"version":4', '"version":3'),
    text.replace('"version":4', '"version":1'),
    text.replace(/,"readable_from":1/, ""),
    text.replace(/,"started_at":"[^"]*"/, ""),
    text.replace(/Z"/, '+01:00"'),
    text + "\n",
    text + first + "\n",
    text + text,
    text.replaceAll("\n", "\r\n"),
    "\ufeff" + text,
    [header, second, first, trailer, ""].join("\n"),
    [header, first, first, second, trailer, ""].join("\n"),
    [header, first, trailer, ""].join("\n"),
    [first, second, trailer, ""].join("\n"),
    [header, "null", first, second, trailer, ""].join("\n"),
    [header, '[["a"],1,2]', trailer, ""].join("\n"),
    [header, '[["a"]]', trailer, ""].join("\n"),
    [header, "[[],1]", trailer, ""].join("\n"),
    [header, '[["a"],{"$":"bigint","v":"x"}]', trailer, ""].join("\n"),
    [header, '[["a"],{"$":"u64","v":"-1"}]', trailer, ""].join("\n"),
  ];
  await using to = await openTestStore();
  for (const other of others) await assertRefused(to, other, "invalid_input");
  const notUtf8 = new Uint8Array([...new TextEncoder().encode(header), 0xff]);
  await assertRefused(to, notUtf8, "invalid_input");
  assertEquals(to.kv.commits.length, 0);
});

Deno.test("restore() refuses a line without an end before it fills the memory", async () => {
  await using to = await openTestStore();
  let sent = 0;
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(1_048_576).fill(0x61));
      },
    });
  const options = { ...into(to, ""), open: endless };
  await assertRejects(() => restore(options), Refused);
  assert(sent < 12, `${sent} MiB were read`);
});

Deno.test("restore() reads a backup however it is cut into pieces", async () => {
  await using from = await openTestStore();
  await from.store.transact((tx) =>
    tx.sandboxJobs.save(sandboxJob("é€😀\u2028", from.clock.now() + 1))
  );
  const bytes = new TextEncoder().encode(await backupOf(from.realKv));
  for (const size of [1, 2, 3, 7]) {
    await using to = await openTestStore();
    const pieces = Array.from(
      { length: Math.ceil(bytes.length / size) },
      (_, at) => bytes.slice(at * size, (at + 1) * size),
    );
    const open = () => ReadableStream.from(pieces);
    await restore({ ...into(to, ""), open });
    assert(await to.store.sandboxJobs.find("é€😀\u2028"));
  }
});

Deno.test("restore() refuses a store that is not empty", async () => {
  const text = await smallBackup();
  await using to = await openTestStore();
  await put(to.realKv, ["zzz"], 0);
  await assertRefused(to, text, "store_not_empty");
  await assertRefused(to, text.slice(0, -1), "invalid_input");
  assertEquals(to.kv.commits.length, 0);
});

Deno.test("restore() takes a store with rate-limit rows only for empty", async () => {
  await using to = await openTestStore();
  await put(to.realKv, ["rate_buckets", "hash"], new Uint8Array(16));
  assertEquals((await restore(into(to, await smallBackup()))).rows, 2);
});

Deno.test("restore() leaves out what has expired and keeps what has not until then", async () => {
  await using from = await openTestStore();
  const now = from.clock.now();
  await from.store.transact((tx) => {
    tx.sandboxJobs.save(sandboxJob("gone", now + 10));
    tx.sandboxJobs.save(sandboxJob("stays", now + 11));
    tx.accounts.save(account("for ever", "a@x.example"));
  });
  await using to = await openTestStore();
  to.clock.set(now + 10);
  const summary = await restore(into(to, await backupOf(from.realKv)));
  assertEquals(summary, {
    rows: 3,
    expired: 1,
    consistent: true,
    verified: true,
    hold: "restored",
  });
  const writes = to.kv.commits.flatMap((commit) => commit.writes)
    .filter(({ key }) => key.length > 1);
  assertEquals(
    writes.map(({ key, options }) => [key[1], options?.expireIn]),
    [["a@x.example", undefined], ["for ever", undefined], ["stays", 1]],
  );
});

Deno.test("restore() writes many and large rows within the limits of a commit", async () => {
  await using from = await openTestStore();
  for (let n = 0; n < 600; n++) await put(from.realKv, ["small", n], n);
  for (let n = 0; n < 40; n++) {
    await put(from.realKv, ["large", n], "x".repeat(65_000));
    // Short as JSON, long as stored: two bytes a character, nine a number.
    await put(from.realKv, ["wide", n], "x".repeat(32_000) + "€");
    await put(from.realKv, ["numbers", n], Array(6_000).fill(0.5));
    await put(from.realKv, ["long key", "k".repeat(2_000), n], n);
  }
  await using to = await openTestStore();
  const text = await backupOf(from.realKv);
  assertEquals((await restore(into(to, text))).rows, 760);
  await assertSameRows(to, text);
});

Deno.test("restore() that dies can be repeated, and nothing is served meanwhile", async () => {
  await using from = await openTestStore();
  await putMany(from.realKv, 2_000);
  const text = await backupOf(from.realKv);
  const points = await everyCrashPoint(async (point) => {
    await using to = await openTestStore();
    to.kv.crashAt(point);
    await restore(into(to, text)).catch(() => {});
    const { commit, when } = point;
    const whole = !to.kv.wentWrong || commit === 5 && when === "after";
    const untouched = commit === 1 && (when === "before" || when === "late");
    const unfinished = await findUnfinishedRestore(to.realKv) !== null;
    assertEquals(unfinished, !whole && !untouched);
    // There is no row without a hold, and no end of a restore without one.
    const hold = await to.another().store.currentHold();
    assertEquals(hold?.isWhole ?? null, untouched ? null : whole);
    if (whole) {
      await assertSameRows(to, text);
      return to.kv.dead;
    }
    if (unfinished) {
      await assertRejects(() => backupOf(to.realKv), Refused);
      await assertRefused(to.another(), await smallBackup(), "store_not_empty");
    }
    await restore({ ...into(to, text), kv: to.another().kv });
    await assertSameRows(to, text);
    assertEquals(await findUnfinishedRestore(to.realKv), null);
    return to.kv.dead;
  });
  assertEquals(points, 2 * 5);
});

Deno.test("of two different restores at once only one begins", async () => {
  await using from = await openTestStore();
  await put(from.realKv, ["other"], 1);
  const texts = [await smallBackup(), await backupOf(from.realKv)];
  await using to = await openTestStore();
  const results = await Promise.allSettled(
    texts.map((text) => restore({ ...into(to, text), kv: to.another().kv })),
  );
  assertEquals(
    results.map(({ status }) => status).sort(),
    ["fulfilled", "rejected"],
  );
  const winner = results.findIndex(({ status }) => status === "fulfilled");
  await assertSameRows(to, texts[winner]);
});

Deno.test("restore() does not end when its source changed between the passes", async () => {
  await using from = await openTestStore();
  await put(from.realKv, ["other"], 1);
  const sources = [await smallBackup(), await backupOf(from.realKv)];
  await using to = await openTestStore();
  const open = () => new Blob([sources.shift() ?? ""]).stream();
  await assertRejects(() => restore({ ...into(to, ""), open }), Refused);
  assert(await findUnfinishedRestore(to.realKv) !== null);
});

Deno.test("restore() closes its source when a commit fails", async () => {
  await using from = await openTestStore();
  await putMany(from.realKv, 1_000);
  const text = await backupOf(from.realKv);
  await using to = await openTestStore({
    faults: [{ on: "commit", nth: 2, fault: { kind: "fail_before" } }],
  });
  let cancelled = false;
  const sources = [
    new Blob([text]).stream(),
    new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
      cancel: () => {
        cancelled = true;
      },
    }),
  ];
  const open = () => sources.shift() ?? new ReadableStream();
  await assertRejects(
    () => restore({ ...into(to, text), open }),
    OutcomeUnknown,
  );
  assert(cancelled);
  assertEquals((await restore(into(to, text))).rows, 1_000);
});

Deno.test("spool() keeps an upload to be read twice, and removes it", async () => {
  const directory = await Deno.makeTempDir();
  const upload = new Blob([await smallBackup()]).stream();
  await using to = await openTestStore({ path: `${directory}/store` });
  {
    await using spooled = await spool(upload, 10_000, directory);
    await restore({ ...into(to, ""), open: spooled.open });
  }
  await assertSameRows(to, await smallBackup());
  await assertRejects(
    () => spool(new Blob(["12345"]).stream(), 4, directory),
    Refused,
  );
  const left = [...Deno.readDirSync(directory)].map(({ name }) => name);
  assert(left.every((name) => name.startsWith("store")), left.join());
  await to.close();
  await Deno.remove(directory, { recursive: true });
});

function into(
  test: Pick<TestStore, "kv"> & Partial<TestStore>,
  backup: string | Uint8Array<ArrayBuffer>,
): RestoreOptions {
  const open = () => new Blob([backup]).stream();
  const clock = test.clock ?? { now: () => 0 };
  const kv = asPlanned(test.kv);
  const keys = TEST_KEYS;
  return { kv, clock, open, keys, patience: testPatience() };
}

async function backupOf(kv: KvLike): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of dump(kv, { keys: TEST_KEYS })) {
    text += decoder.decode(chunk);
  }
  return text;
}

async function assertSameRows(
  { realKv }: TestStore,
  text = "",
): Promise<void> {
  assertEquals(backupRows(await backupOf(realKv)), backupRows(text));
}

/** Two rows. */
async function smallBackup(): Promise<string> {
  await using from = await openTestStore();
  await put(from.realKv, ["a", 1], "one");
  await put(from.realKv, ["b", "x"], { n: 3n });
  return await backupOf(from.realKv);
}

async function assertRefused(
  test: Pick<TestStore, "kv">,
  backup: string | Uint8Array<ArrayBuffer>,
  code: string,
): Promise<void> {
  const error = await assertRejects(
    () => restore(into(test, backup)),
    Refused,
    "",
  );
  assertEquals(error.refusal.code, code);
}

async function rowsIn(kv: KvLike): Promise<number> {
  let rows = 0;
  for await (const _ of kv.list({ prefix: [] })) rows += 1;
  return rows;
}

/** Rows of which 900 go into a commit. */
async function putMany(kv: KvLike, count: number): Promise<void> {
  for (let n = 0; n < count; n += 500) {
    const atomic = kv.atomic();
    for (let at = n; at < n + 500; at++) atomic.set(["row", at], at);
    await atomic.commit();
  }
}

async function put(
  kv: KvLike,
  key: Deno.KvKey,
  value: unknown,
): Promise<void> {
  const atomic = kv.atomic();
  atomic.set(key, value);
  await atomic.commit();
}
