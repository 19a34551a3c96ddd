/**
 * Which store it is. Backups carry it, and a restore brings it back, so that a
 * store that was restored goes on as the same one, and no other is ever taken
 * for it.
 *
 * @module
 */
import { guardedCommit } from "./commit.ts";
import type { Patience } from "./guard.ts";
import { keys } from "./keys.ts";
import type { KvLike } from "./kv_like.ts";
import { readManyFrom } from "./read_many.ts";

/** The store, and how long it is waited for. */
export interface IdReader {
  kv: KvLike;
  patience: Patience;
}

/** The row. */
export interface StoreId {
  id: string;
}

/** The id of a store; null while it has none. */
export async function findStoreId(
  { kv, patience }: IdReader,
): Promise<string | null> {
  const [entry] = await readManyFrom(kv, patience)([keys.storeId()]);
  return (entry?.value as StoreId | undefined)?.id ?? null;
}

/** The id of a store, which has one from then on. */
export async function ensureStoreId(reader: IdReader): Promise<string> {
  const found = await findStoreId(reader);
  if (found !== null) return found;
  const key = keys.storeId();
  const row: StoreId = { id: crypto.randomUUID().replaceAll("-", "") };
  await guardedCommit(reader.kv, (atomic) => {
    atomic.check({ key, versionstamp: null });
    atomic.set(key, row);
  }, reader);
  // Another process may have been faster.
  return await ensureStoreId(reader);
}
