import { assert, assertEquals, assertRejects } from "@std/assert";
import { s3Target } from "../../adapters/backup/s3_target.ts";
import type { BackupTarget } from "../../domain/operations/backup_target.ts";
import { DAY_MS } from "../../domain/day.ts";
import { StoreUnavailable } from "../../domain/failure.ts";
import { Refused } from "../../domain/refusal.ts";
import { writeBackups } from "../../kv/backup_series.ts";
import { loggedCommits } from "../../kv/change_log.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import {
  logged,
  memoryTarget,
  put,
  restored,
  rowsOf,
  seriesOf,
} from "../support/continuous_backups.ts";
import { everyCrashPoint } from "../support/faults.ts";
import { S3_CREDENTIALS, startS3Server } from "../support/s3_server.ts";
import { asPlanned, openTestStore } from "../support/store.ts";

/** Too long for the log. */
const LARGE = "x".repeat(40_000);

Deno.test("a full backup and its changes, kept in a bucket, restore the store as it was at the last turn", async () => {
  await using server = startS3Server();
  const target = s3Target({ address: server.url, ...S3_CREDENTIALS });
  await using from = await openTestStore();
  const kv = logged(from);
  await put(kv, ["kept"], 1);
  await put(kv, ["removed"], 1);
  await add(kv, ["count"], 3n);
  assertEquals(await writeBackups(seriesOf(from, target)), "begun");
  await put(kv, ["kept"], 2);
  await put(kv, ["large"], LARGE);
  await put(kv, ["removed"], undefined);
  await add(kv, ["count"], 4n);
  await put(kv, ["count of", "another"], new Uint8Array([1, 2]));
  assertEquals(await writeBackups(seriesOf(from, target)), "written");
  assertEquals(await writeBackups(seriesOf(from, target)), "unchanged");
  await put(kv, ["kept"], 3);
  assertEquals(await writeBackups(seriesOf(from, target)), "written");
  const before = await rowsOf(from.realKv);
  await put(kv, ["lost"], 1);

  await using to = await openTestStore();
  const summary = await restored(to, target);
  assertEquals([summary.consistent, summary.verified], [true, true]);
  assertEquals(summary.until, new Date(from.clock.now()).toISOString());
  assertEquals(await rowsOf(to.realKv), before);
  assertEquals((await to.store.currentHold())?.isWhole, true);
});

Deno.test("a file of changes ends at one commit exactly, whatever is committed while it is made", async () => {
  await using from = await openTestStore();
  const kv = logged(from);
  const target = memoryTarget();
  await writeBackups(seriesOf(from, target));
  await put(kv, ["a"], "then");
  await add(kv, ["count"], 5n);
  let then: string[] | null = null;
  // The turn has begun when the log is listed.
  const busy: KvLike = {
    ...from.realKv,
    list(selector, options) {
      const entries = from.realKv.list<never>(selector, options);
      const isLog = "prefix" in selector &&
        selector.prefix[0] === "logged_changes";
      if (!isLog || then !== null) return entries;
      then = [];
      const next = async () => {
        then = await rowsOf(from.realKv);
        await put(kv, ["a"], "later");
        await put(kv, ["b"], "later");
        await add(kv, ["count"], 2n);
      };
      return listedAfter(next, entries);
    },
  };
  await writeBackups({ ...seriesOf(from, target), kv: busy });
  await using to = await openTestStore();
  await restored(to, target);
  assertEquals(await rowsOf(to.realKv), then);
  // And the next turn has what came later.
  await writeBackups(seriesOf(from, target));
  await using last = await openTestStore();
  await restored(last, target);
  assertEquals(await rowsOf(last.realKv), await rowsOf(from.realKv));
});

Deno.test("what is committed while the full backup is read is in the first file of changes", async () => {
  await using from = await openTestStore();
  const kv = logged(from);
  for (let n = 0; n < 20; n++) await put(kv, ["row", n], LARGE);
  const target = memoryTarget();
  let puts = 0;
  const busy: BackupTarget = {
    ...target,
    async put(name, bytes) {
      await target.put(name, bytes);
      if (puts++ > 0) return;
      await put(kv, ["row", 0], "changed");
      await put(kv, ["row", 5], undefined);
      await add(kv, ["count"], 7n);
    },
  };
  await writeBackups(seriesOf(from, busy));
  await using to = await openTestStore();
  await restored(to, target);
  assertEquals(await rowsOf(to.realKv), await rowsOf(from.realKv));
});

Deno.test("a place that does not list what was put there gets no series", async () => {
  await using from = await openTestStore();
  await put(logged(from), ["row"], LARGE);
  const target = memoryTarget();
  const blind: BackupTarget = { ...target, list: () => Promise.resolve([]) };
  await assertRejects(
    () => writeBackups(seriesOf(from, blind)),
    StoreUnavailable,
    "does not list what was put there",
  );
  assertEquals(target.objects.size, 1, "it is found out before it is dear");
});

Deno.test("changes of several processes are restored in the order of their commits", async () => {
  await using from = await openTestStore();
  const [last, first] = ["a", "z"].map((owner) =>
    loggedCommits(from.realKv, owner)
  );
  assert(first && last);
  const target = memoryTarget();
  await writeBackups(seriesOf(from, target));
  await put(first, ["a"], 1);
  await put(last, ["a"], 2);
  await put(first, ["b"], 1);
  await put(last, ["b"], undefined);
  await writeBackups(seriesOf(from, target));
  await using to = await openTestStore();
  await restored(to, target);
  assertEquals(await rowsOf(to.realKv), await rowsOf(from.realKv));
});

Deno.test("a turn that dies anywhere leaves what the next one goes on with", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using from = await openTestStore();
    const kv = logged(from);
    const target = memoryTarget();
    await put(kv, ["a"], 0);
    await writeBackups(seriesOf(from, target));
    await put(kv, ["a"], 1);
    await add(kv, ["count"], 1n);
    const process = from.another();
    process.kv.crashAt(point);
    const doomed = { ...seriesOf(from, target), kv: asPlanned(process.kv) };
    await writeBackups(doomed).catch(() => {});
    await put(kv, ["b"], 2);
    await add(kv, ["count"], 1n);
    from.clock.advance(2 * 60_000);
    await writeBackups(seriesOf(from, target));
    await using to = await openTestStore();
    await restored(to, target);
    assertEquals(await rowsOf(to.realKv), await rowsOf(from.realKv));
    return process.kv.dead;
  });
  assert(points >= 6, `${points} points`);
});

Deno.test("of two processes one does the turn", async () => {
  await using from = await openTestStore();
  const target = memoryTarget();
  const runs = await Promise.all(
    [1, 2].map(() => writeBackups(seriesOf(from, target)).catch(() => "lost")),
  );
  assertEquals(runs.filter((run) => run === "begun").length, 1);
});

Deno.test("a new series begins after a day, and when the log may have lost something", async () => {
  await using from = await openTestStore();
  const kv = logged(from);
  const target = memoryTarget();
  const options = seriesOf(from, target);
  assertEquals(await writeBackups(options), "begun");
  for (const waited of [DAY_MS, 2 * DAY_MS]) {
    await put(kv, ["a"], waited);
    from.clock.advance(waited);
    assertEquals(await writeBackups(options), "begun");
    await using to = await openTestStore();
    await restored(to, target);
    assertEquals(await rowsOf(to.realKv), await rowsOf(from.realKv));
  }
});

Deno.test("a failed turn leaves nothing behind that keeps the next one from going on", async () => {
  await using from = await openTestStore();
  const kv = logged(from);
  const target = memoryTarget();
  await writeBackups(seriesOf(from, target));
  await put(kv, ["a"], 1);
  const put503 = () => Promise.reject(new Error("503"));
  const away = { ...target, put: put503 };
  await assertRejects(() => writeBackups(seriesOf(from, away)), Error, "503");
  assertEquals(await writeBackups(seriesOf(from, target)), "written");
  await using to = await openTestStore();
  await restored(to, target);
  assertEquals(await rowsOf(to.realKv), await rowsOf(from.realKv));
});

Deno.test("restore() refuses changes that are missing, altered, reordered, of another series or of nobody, and writes nothing", async () => {
  await using from = await openTestStore();
  const kv = logged(from);
  const target = memoryTarget();
  const others = memoryTarget();
  for (let n = 0; n < 4; n++) {
    await put(kv, ["a"], n);
    await writeBackups(seriesOf(from, target));
    await writeBackups(seriesOf(from, others));
  }
  await using other = await openTestStore();
  for (let n = 0; n < 4; n++) {
    await put(logged(other), ["a"], -n);
    await writeBackups(seriesOf(other, others));
  }
  const files = [...target.objects.keys()].filter((name) =>
    name.includes("changes-")
  ).sort();
  const [, second = "", third = ""] = files;
  assertEquals(files.length, 4);
  const of = (name: string, from = target) =>
    from.objects.get(name) ?? new Uint8Array();
  const text = new TextDecoder().decode(of(second));
  const stranger =
    [...others.objects].find(([name]) => name.includes("changes-000002"))
      ?.[1] ?? new Uint8Array();
  const spoilt: [string, Map<string, Uint8Array<ArrayBuffer> | null>][] = [
    ["missing", new Map([[second, null]])],
    ["altered", new Map([[second, bytesOf(text.replace('"a"', '"b"'))]])],
    ["cut short", new Map([[second, bytesOf(text.slice(0, -9))]])],
    ["empty", new Map([[second, bytesOf("")]])],
    ["reordered", new Map([[second, of(third)], [third, of(second)]])],
    ["repeated", new Map([[third, of(second)]])],
    ["of another series", new Map([[second, stranger]])],
  ];
  for (const [what, changes] of spoilt) {
    const copy = memoryTarget(new Map(target.objects));
    for (const [name, bytes] of changes) {
      if (bytes === null) copy.objects.delete(name);
      else copy.objects.set(name, bytes);
    }
    await using to = await openTestStore();
    const { message } = await assertRejects(
      () => restored(to, copy),
      Refused,
    );
    assertEquals(message, "invalid_input", what);
    assertEquals(to.kv.commits.length, 0, what);
  }
  await using to = await openTestStore();
  const elsewhere = { keys: null, takesUnverified: false };
  await assertRejects(() => restored(to, target, elsewhere), Refused);
  assertEquals(to.kv.commits.length, 0);
  await restored(to, target);
});

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function listedAfter<E extends ReturnType<KvLike["list"]>>(
  first: () => Promise<void>,
  entries: E,
): E {
  let isFirst = true;
  const waiting = {
    get cursor() {
      return entries.cursor;
    },
    async next() {
      if (isFirst) await first();
      isFirst = false;
      return await entries.next();
    },
    [Symbol.asyncIterator]: () => waiting,
  };
  return waiting as unknown as E;
}

async function add(kv: KvLike, key: Deno.KvKey, count: bigint): Promise<void> {
  const atomic = kv.atomic();
  atomic.sum(key, count);
  await atomic.commit();
}
