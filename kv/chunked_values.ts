/**
 * Values too large for one row. Chunks are written first, under an attempt of
 * their own; then one commit writes the manifest, which has to be absent, and
 * ends the attempt. Readers go by the manifest: a whole value or none.
 *
 * @module
 */
import { StoreUnavailable } from "../domain/failure.ts";
import { invariant } from "../domain/invariant.ts";
import type { Clock, Ids } from "../domain/ports.ts";
import {
  assertPlausible,
  type ChunkAttempt,
  type ChunkManifest,
  chunkOf,
  CHUNKS_A_COMMIT,
  describeChunks,
  joinChunks,
  MAX_CHUNKED_BYTES,
} from "./chunk_manifest.ts";
import { guardedCommit } from "./commit.ts";
import { DEFAULT_PATIENCE, type Patience } from "./guard.ts";
import { keys, prefixes } from "./keys.ts";
import type { KvAtomic, KvLike } from "./kv_like.ts";
import { isPossibleKey } from "./possible_key.ts";
import { MAX_KEYS_READ, type ReadMany, readManyFrom } from "./read_many.ts";
import { allPages, PAGE, type PageReader } from "./pages.ts";

/** What storing came to; the first value under a name stays for ever. */
export interface StoreOutcome {
  outcome: "stored" | "already_stored";
  /** Of what is stored now. */
  manifest: ChunkManifest;
}

/** Immutable values of up to 20 MiB. */
export interface ChunkedValues {
  /**
   * Stores a value unless its name is taken, which is no error: compare the
   * manifest's SHA-256 where the content matters.
   *
   * @throws {OutcomeUnknown} and {@linkcode StoreUnavailable}; repeat the call
   */
  store(
    name: string,
    value: Uint8Array<ArrayBuffer>,
  ): Promise<StoreOutcome>;
  /** @throws {ChunksCorrupt} when the stored value is damaged */
  read(name: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** What is known of a value without reading it. */
  describe(name: string): Promise<ChunkManifest | null>;
  /**
   * Removes the chunks of attempts begun before `startedBeforeMs`, at most
   * `limit` attempts. An attempt still at work then fails, with nothing lost.
   *
   * @returns how many attempts were removed
   */
  purge(startedBeforeMs: number, limit: number): Promise<number>;
}

/** What chunked values are built on. */
export interface ChunkedValuesOptions {
  kv: KvLike;
  clock: Clock;
  ids: Ids;
  patience?: Patience;
}

interface Context {
  kv: KvLike;
  clock: Clock;
  patience: Patience;
  readMany: ReadMany;
}

/** Keeps large values in the store. */
export function createChunkedValues(
  options: ChunkedValuesOptions,
): ChunkedValues {
  const { kv, clock, ids } = options;
  const patience = options.patience ?? DEFAULT_PATIENCE;
  const readMany = readManyFrom(kv, patience);
  const context: Context = { kv, clock, patience, readMany };
  return {
    describe: (name) => findManifest(context, name),
    async store(name, value) {
      invariant(
        value.byteLength <= MAX_CHUNKED_BYTES,
        `a chunked value has at most ${MAX_CHUNKED_BYTES} bytes`,
      );
      const attemptId = ids.next("chk");
      invariant(
        isPossibleKey(keys.chunk(name, attemptId, 0)),
        "the name of a chunked value is well-formed and fits a key",
      );
      const before = await findManifest(context, name);
      if (before) return { outcome: "already_stored", manifest: before };
      const manifest = await describeChunks(name, attemptId, value);
      return await storeNew(context, manifest, value);
    },
    async read(name) {
      const manifest = await findManifest(context, name);
      if (manifest === null) return null;
      assertPlausible(manifest);
      return await joinChunks(manifest, await readChunks(context, manifest));
    },
    purge: (startedBeforeMs, limit) =>
      purgeChunks({ kv, patience }, startedBeforeMs, limit),
  };
}

async function findManifest(
  { readMany }: Context,
  name: string,
): Promise<ChunkManifest | null> {
  const [entry] = await readMany([keys.chunkManifest(name)]);
  return (entry?.value ?? null) as ChunkManifest | null;
}

async function storeNew(
  context: Context,
  manifest: ChunkManifest,
  value: Uint8Array,
): Promise<StoreOutcome> {
  const { attemptId, name, chunkCount } = manifest;
  const attemptKey = keys.chunkAttempt(attemptId);
  const attempt: ChunkAttempt = {
    attemptId,
    name,
    chunkCount,
    startedAtMs: context.clock.now(),
    purging: false,
  };
  const versionstamp = await commit(context, (atomic) => {
    atomic.check({ key: attemptKey, versionstamp: null });
    atomic.set(attemptKey, attempt);
  });
  invariant(versionstamp !== null, "an attempt has an id of its own");
  // From here on every commit checks that nobody has purged the attempt.
  const mine = { key: attemptKey, versionstamp };
  await writeChunks(context, manifest, value, mine);
  const stored = await commit(context, (atomic) => {
    const manifestKey = keys.chunkManifest(name);
    atomic.check(mine, { key: manifestKey, versionstamp: null });
    atomic.set(manifestKey, manifest);
    atomic.delete(attemptKey);
  });
  if (stored !== null) return { outcome: "stored", manifest };
  const winner = await findManifest(context, name);
  if (winner) return { outcome: "already_stored", manifest: winner };
  throw purgedMeanwhile(name);
}

/** Writes the chunks, as long as the attempt has not been purged. */
async function writeChunks(
  context: Context,
  { name, attemptId, chunkCount }: ChunkManifest,
  value: Uint8Array,
  mine: Deno.AtomicCheck,
): Promise<void> {
  for (let from = 0; from < chunkCount; from += CHUNKS_A_COMMIT) {
    const to = Math.min(from + CHUNKS_A_COMMIT, chunkCount);
    const written = await commit(context, (atomic) => {
      atomic.check(mine);
      for (let index = from; index < to; index++) {
        atomic.set(keys.chunk(name, attemptId, index), chunkOf(value, index));
      }
    });
    if (written === null) throw purgedMeanwhile(name);
  }
}

function purgedMeanwhile(name: string): StoreUnavailable {
  return new StoreUnavailable(
    `Cannot store "${name}": it took so long that its chunks were purged`,
  );
}

async function readChunks(
  { readMany }: Context,
  { name, attemptId, chunkCount }: ChunkManifest,
): Promise<unknown[]> {
  const chunks: unknown[] = [];
  for (let from = 0; from < chunkCount; from += MAX_KEYS_READ) {
    const wanted: Deno.KvKey[] = [];
    const to = Math.min(from + MAX_KEYS_READ, chunkCount);
    for (let index = from; index < to; index++) {
      wanted.push(keys.chunk(name, attemptId, index));
    }
    chunks.push(...(await readMany(wanted)).map(({ value }) => value));
  }
  return chunks;
}

function commit(
  { kv, patience }: Context,
  fill: (atomic: KvAtomic) => void,
): Promise<string | null> {
  return guardedCommit(kv, fill, { patience });
}

/** Removals in one commit: below what keys of the longest size may weigh. */
const REMOVALS_A_COMMIT = 36;

/**
 * Removes attempts begun before a moment, with their chunks. First the attempt
 * is marked, which fails every later commit of its writer, so that no manifest
 * can come to name a chunk that is removed; the mark also lets the next purge
 * go on where a crash ended this one.
 */
async function purgeChunks(
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
