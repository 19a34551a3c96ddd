import { DEFAULT_PATIENCE, type Patience } from "./guard.ts";
import { keys } from "./keys.ts";
import type { KvLike } from "./kv_like.ts";
import { readManyFrom } from "./read_many.ts";

/** How far a restore is that has begun and not ended, and of which backup. */
export interface RestoreProgress {
  sha256: string;
  startedAtMs: number;
  /** Rows of the backup that are dealt with, from its first one on. */
  done: number;
}

/** The mark of such a restore: whoever goes on checks its version. */
export interface UnfinishedRestore {
  mark: RestoreProgress;
  versionstamp: string;
}

/** The mark of a store that is half restored, which must not be served from. */
export async function findUnfinishedRestore(
  kv: KvLike,
  patience: Patience = DEFAULT_PATIENCE,
): Promise<UnfinishedRestore | null> {
  const readMany = readManyFrom(kv, patience);
  const [entry] = await readMany([keys.unfinishedRestore()]);
  if (!entry?.versionstamp) return null;
  const { versionstamp } = entry;
  // An earlier version noted no progress: from the start.
  const mark = { done: 0, ...entry.value as Omit<RestoreProgress, "done"> };
  return { mark, versionstamp };
}
