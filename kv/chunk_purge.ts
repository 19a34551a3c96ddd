import type { ChunkAttempt } from "./chunk_manifest.ts";
import { guardedCommit } from "./commit.ts";
import { keys, prefixes } from "./keys.ts";
import { allPages, PAGE, type PageReader } from "./pages.ts";

/** Removals in one commit: below what keys of the longest size may weigh. */
const REMOVALS_A_COMMIT = 36;

/**
 * Removes attempts begun before a moment, with their chunks. First the attempt
 * is marked, which fails every later commit of its writer, so that no manifest
 * can come to name a chunk that is removed; the mark also lets the next purge
 * go on where a crash ended this one.
 */
export async function purgeChunks(
  reader: PageReader,
  startedBeforeMs: number,
  limit: number,
): Promise<number> {
  let count = 0;
  const all = allPages(reader, { prefix: [...prefixes.chunkAttempts] }, PAGE);
  for await (const entries of all) {
    for (const entry of entries) {
      if (count >= limit) return count;
      const { startedAtMs } = entry.value as ChunkAttempt;
      if (startedAtMs >= startedBeforeMs) continue;
      if (await purgeAttempt(reader, entry)) count += 1;
    }
  }
  return count;
}

async function purgeAttempt(
  { kv, patience }: PageReader,
  entry: Deno.KvEntry<unknown>,
): Promise<boolean> {
  const { key, versionstamp } = entry;
  const attempt = entry.value as ChunkAttempt;
  const marked = await guardedCommit(kv, (atomic) => {
    atomic.check({ key, versionstamp });
    atomic.set(key, { ...attempt, purging: true });
  }, { patience });
  if (marked === null) return false;
  const { name, attemptId, chunkCount } = attempt;
  for (let from = 0; from < chunkCount; from += REMOVALS_A_COMMIT) {
    const to = Math.min(from + REMOVALS_A_COMMIT, chunkCount);
    await guardedCommit(kv, (atomic) => {
      for (let index = from; index < to; index++) {
        atomic.delete(keys.chunk(name, attemptId, index));
      }
    }, { patience });
  }
  await guardedCommit(kv, (atomic) => atomic.delete(key), { patience });
  return true;
}
