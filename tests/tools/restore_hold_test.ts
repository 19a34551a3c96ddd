import { createHash } from "node:crypto";
import { assert, assertEquals } from "@std/assert";
import type { OperatorKey } from "../../domain/operator_keys/operator_key.ts";
import type { ReferralLink } from "../../domain/partners/referral_link.ts";
import { backupHeader, rowLine } from "../../kv/backup_format.ts";
import { dump } from "../../kv/dump.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import {
  checkSchema,
  FIRST_VERSION,
  readSchema,
  SCHEMA_VERSION,
  writeSchema,
} from "../../kv/schema.ts";
import { findUnfinishedRestore } from "../../kv/unfinished_restore.ts";
import { restore, type RestoreOptions } from "../../tools/restore_backup.ts";
import { backupRows } from "../support/backup_rows.ts";
import { openTestStore, type TestStore } from "../support/store.ts";

Deno.test("restore() of a backup that does not say when it was made puts the store on hold all the same", async () => {
  const rows = backupRows(await smallBackup());
  const header = backupHeader(
    { startedAtMs: null, readableFrom: 1, keyId: null },
    1,
  );
  const text = [header, ...rows, ""].join("\n");
  const sha256 = createHash("sha256").update(text).digest("hex");
  const trailer = { rows: rows.length, consistent: true, sha256 };
  await using to = await openTestStore();
  const summary = await restore(
    into(to, `${text}${JSON.stringify(trailer)}\n`),
  );
  assertEquals([summary.rows, summary.hold], [2, "restored"]);
  const hold = await to.store.currentHold();
  assertEquals([hold?.backupAtMs, hold?.isWhole], [null, true]);
});

Deno.test("restore() notes when the backup was begun", async () => {
  await using from = await openTestStore();
  from.clock.set("2026-11-20T02:00:00.000Z");
  await put(from.realKv, ["a"], 1);
  const backup = await new Response(dump(from.realKv, { ...from, keys: null }))
    .text();
  await using to = await openTestStore();
  await restore(into(to, backup));
  const hold = await to.store.currentHold();
  assertEquals(hold?.backupAtMs, Date.parse("2026-11-20T02:00:00.000Z"));
});

Deno.test("restore() ends every key of the operator API, one that was made after the backup too: which were ended since is not known", async () => {
  await using from = await openTestStore();
  const key = (id: string, endedAtMs: number | null): OperatorKey => ({
    id,
    hash: "ab".repeat(32),
    name: id,
    scope: "act",
    accountId: "acc_1",
    createdAtMs: 0,
    goodUntilMs: from.clock.now() + 86_400_000,
    endedAtMs,
    lastUsedAtMs: null,
  });
  await from.store.transact((tx) => {
    tx.operatorKeys.save(key("opk_good", null));
    tx.operatorKeys.save(key("opk_ended", 1));
  });
  const text = await new Response(dump(from.realKv, { ...from, keys: null }))
    .text();
  await using to = await openTestStore();
  to.clock.set("2026-11-21T02:00:00.000Z");
  const later = key("opk_later", null);
  const row = { key: ["operator_keys", later.id], value: later };
  await restore({
    ...into(to, text),
    changes: async function* () {
      yield {
        number: 1,
        previous: "",
        through: "",
        at: "2026-11-20T12:00:00.000Z",
        sha256: "",
        isVerified: true,
        lines: [rowLine(row)],
      };
    },
  });
  const ended = await to.store.listOperatorKeys({ limit: 9 });
  assertEquals(ended.map(({ id, endedAtMs }) => [id, endedAtMs]), [
    ["opk_ended", 1],
    ["opk_good", Date.parse("2026-11-21T02:00:00.000Z")],
    ["opk_later", Date.parse("2026-11-21T02:00:00.000Z")],
  ]);
});

Deno.test("restore() ends no link of a partner's: keys of the operator API alone end by it", async () => {
  await using from = await openTestStore();
  const link: ReferralLink = {
    code: "code",
    partnerId: "acc_1",
    name: "Newsletter",
    state: "active",
    createdAtMs: 1,
    endedAtMs: null,
  };
  await from.store.transact((tx) => tx.referralLinks.save(link));
  await using to = await openTestStore();
  await restore(into(to, await backupOf(from.realKv)));
  assertEquals(await to.store.referralLinks.find(link.code), link);
});

Deno.test("restore() of a backup that names no version leaves none, though a service was started between two attempts", async () => {
  await using from = await openTestStore();
  for (let n = 0; n < 300; n++) await put(from.realKv, ["row", n], n);
  const text = await new Response(dump(from.realKv, { ...from, keys: null }))
    .text();
  assert(!text.includes('[["schema"],'), "as the first versions made them");
  await using to = await openTestStore();
  to.kv.crashAt({ commit: 2, when: "after" });
  await restore(into(to, text)).catch(() => {});
  assert(await findUnfinishedRestore(to.realKv));
  await startedOver(to.realKv);
  await restore({ ...into(to, text), kv: to.another().kv });
  assertEquals((await readSchema(to.realKv)).row.version, FIRST_VERSION);
});

/** A service that starts, and migrates what it finds. */
async function startedOver(kv: KvLike): Promise<void> {
  await checkSchema(kv);
  const { row, versionstamp } = await readSchema(kv);
  const migrated = { ...row, version: SCHEMA_VERSION };
  assert(await writeSchema(kv, { row: migrated, versionstamp }));
}

Deno.test("a backup of a store on hold is looked at from the older backup on, and a drill stays a drill", async () => {
  await using first = await openTestStore();
  first.clock.set("2026-11-20T02:00:00.000Z");
  await put(first.realKv, ["a"], 1);
  await using drill = await openTestStore();
  const older = await new Response(dump(first.realKv, { ...first, keys: null }))
    .text();
  await restore({ ...into(drill, older), isDrill: true });
  await using again = await openTestStore();
  const summary = await restore(into(again, await backupOf(drill.realKv)));
  assertEquals(summary.hold, "drill");
  const hold = await again.store.currentHold();
  assertEquals(hold?.backupAtMs, Date.parse("2026-11-20T02:00:00.000Z"));
});

function into({ kv, clock }: TestStore, backup: string): RestoreOptions {
  const open = () => new Blob([backup]).stream();
  return { kv, clock, open, keys: null };
}

async function backupOf(kv: KvLike): Promise<string> {
  return await new Response(dump(kv, { keys: null })).text();
}

/** Two rows. */
async function smallBackup(): Promise<string> {
  await using from = await openTestStore();
  await put(from.realKv, ["a", 1], "one");
  await put(from.realKv, ["b", "x"], { n: 3n });
  return await backupOf(from.realKv);
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
