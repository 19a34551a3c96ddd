import type { BackupTarget } from "../../domain/operations/backup_target.ts";
import type { SeriesOptions } from "../../kv/backup_series.ts";
import { loggedCommits } from "../../kv/change_log.ts";
import { dump } from "../../kv/dump.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import { restoreNewest } from "../../tools/backup_series.ts";
import type { RestoreSummary } from "../../tools/restore_backup.ts";
import { backupRows } from "./backup_rows.ts";
import { TEST_KEYS } from "./keys.ts";
import type { TestStore } from "./store.ts";

/** A place in memory. */
export interface MemoryTarget extends BackupTarget {
  objects: Map<string, Uint8Array<ArrayBuffer>>;
}

/** A place whose objects a test can spoil. */
export function memoryTarget(
  objects = new Map<string, Uint8Array<ArrayBuffer>>(),
): MemoryTarget {
  return {
    objects,
    put(name, bytes) {
      objects.set(name, bytes.slice());
      return Promise.resolve();
    },
    list: () => Promise.resolve([...objects.keys()].sort()),
    get: (name) => Promise.resolve(objects.get(name) ?? new Uint8Array()),
  };
}

/** The store as a process of its own has it, which logs what it changes. */
export function logged({ realKv }: TestStore): KvLike {
  return loggedCommits(realKv, crypto.randomUUID());
}

/** What a turn of backups of a store is done with. */
export function seriesOf(
  { realKv, clock }: TestStore,
  target: BackupTarget,
): SeriesOptions {
  return { kv: realKv, clock, keys: TEST_KEYS, target };
}

/** Restores the newest series. */
export async function restored(
  { kv, clock }: TestStore,
  target: BackupTarget,
  proof = {
    keys: TEST_KEYS as typeof TEST_KEYS | null,
    takesUnverified: false,
  },
): Promise<RestoreSummary> {
  return await restoreNewest(target, { kv, clock, ...proof });
}

/** The rows as a backup has them, without the hold of a store that was restored. */
export async function rowsOf(kv: KvLike): Promise<string[]> {
  const text = await new Response(dump(kv, { keys: null })).text();
  return backupRows(text);
}

/** Sets a row, or removes it, in a commit of its own. */
export async function put(
  kv: KvLike,
  key: Deno.KvKey,
  value: unknown,
): Promise<void> {
  const atomic = kv.atomic();
  if (value === undefined) atomic.delete(key);
  else atomic.set(key, value);
  await atomic.commit();
}
