import { DEFAULT_PATIENCE, type Patience } from "./guard.ts";
import { keys } from "./keys.ts";
import type { KvLike } from "./kv_like.ts";
import { readManyFrom } from "./read_many.ts";

/** The mark of a restore that has begun and not ended: of which backup. */
export interface UnfinishedRestore {
  sha256: string;
  startedAtMs: number;
}

/** The mark of a store that is half restored, which must not be served from. */
export async function findUnfinishedRestore(
  kv: KvLike,
  patience: Patience = DEFAULT_PATIENCE,
): Promise<UnfinishedRestore | null> {
  const readMany = readManyFrom(kv, patience);
  const [entry] = await readMany([keys.unfinishedRestore()]);
  return (entry?.value ?? null) as UnfinishedRestore | null;
}
