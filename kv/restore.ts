/**
 * Brings a backup back into an empty store, in two passes over its source. The
 * first writes nothing and makes sure that the backup is whole. The second
 * writes, between a mark that it has begun and the removal of the mark. After
 * a crash the mark stands: the same backup is then restored again from the
 * start, which changes nothing that is already there, and no other is.
 *
 * @module
 */
import type { Clock } from "../domain/ports.ts";
import { refuse } from "../domain/refusal.ts";
import { type BackupRow, notWhole, readBackup } from "./backup_format.ts";
import { guardedCommit } from "./commit.ts";
import { persistentPages } from "./dump.ts";
import { DEFAULT_PATIENCE, isMisuse, type Patience } from "./guard.ts";
import { keys } from "./keys.ts";
import type { KvAtomic, KvLike } from "./kv_like.ts";
import { readManyFrom } from "./read_many.ts";
import { expiryOf, isExpired } from "./refs.ts";

/** Rows in one commit; fewer when they are long. */
const BATCH_ROWS = 250;
/** Characters of lines in one commit; as stored they are seldom more bytes. */
const BATCH_SIZE = 400_000;

/** What is restored, and into what. */
export interface RestoreOptions {
  /** Nothing else may be using it. */
  kv: KvLike;
  clock: Clock;
  /** Opens the backup from its start; called twice. */
  open: () =>
    | ReadableStream<Uint8Array>
    | Promise<ReadableStream<Uint8Array>>;
  patience?: Patience;
}

/** What a restore came to. */
export interface RestoreSummary {
  /** Rows written. */
  rows: number;
  /** Rows left out because they had expired. */
  expired: number;
  /** Whether all rows of the backup are of one moment. */
  consistent: boolean;
}

interface Mark {
  sha256: string;
  startedAtMs: number;
}

interface Context {
  kv: KvLike;
  clock: Clock;
  patience: Patience;
}

/**
 * Restores a backup.
 *
 * @throws {Refused} `invalid_input` when it is not whole, nothing was written
 * @throws {Refused} `store_not_empty` unless the store is empty or holds an
 * unfinished restore of the same backup
 */
export async function restore(
  options: RestoreOptions,
): Promise<RestoreSummary> {
  const { kv, clock, open, patience = DEFAULT_PATIENCE } = options;
  const context: Context = { kv, clock, patience };
  const { sha256, consistent } = await readBackup(await open(), () => {});
  await begin(context, { sha256, startedAtMs: clock.now() });
  const writer = batchWriter(context);
  const again = await readBackup(await open(), writer.add);
  if (again.sha256 !== sha256) notWhole("it changed while it was read");
  const summary = await writer.end();
  await guardedCommit(
    kv,
    (atomic) => atomic.delete(keys.unfinishedRestore()),
    { patience },
  );
  return { ...summary, consistent };
}

/** Whether the store is half restored, and so must not be served from. */
export async function hasUnfinishedRestore(
  kv: KvLike,
  patience: Patience = DEFAULT_PATIENCE,
): Promise<boolean> {
  return await findMark({ kv, patience }) !== null;
}

async function begin(context: Context, mark: Mark): Promise<void> {
  const found = await findMark(context);
  if (found?.sha256 === mark.sha256) return;
  if (found !== null || !await isEmpty(context)) {
    refuse({ code: "store_not_empty" });
  }
  const key = keys.unfinishedRestore();
  const marked = await guardedCommit(context.kv, (atomic) => {
    atomic.check({ key, versionstamp: null });
    atomic.set(key, mark);
  }, context);
  if (marked === null) refuse({ code: "store_not_empty" });
}

async function findMark(
  { kv, patience }: Omit<Context, "clock">,
): Promise<Mark | null> {
  const readMany = readManyFrom(kv, patience);
  const [entry] = await readMany([keys.unfinishedRestore()]);
  return (entry?.value ?? null) as Mark | null;
}

async function isEmpty(context: Context): Promise<boolean> {
  const first = await persistentPages(context, 1).next();
  return first.done === true;
}

/** Collects rows and writes them, some at a time. */
function batchWriter(context: Context) {
  let batch: BackupRow[] = [];
  let size = 0;
  let rows = 0;
  let expired = 0;
  const flush = async () => {
    await write(context, batch);
    rows += batch.length;
    batch = [];
    size = 0;
  };
  return {
    async add(row: BackupRow): Promise<void> {
      if (isExpired(row.value, context.clock.now())) {
        expired += 1;
        return;
      }
      if (size + row.size > BATCH_SIZE && batch.length > 0) await flush();
      batch.push(row);
      size += row.size;
      if (batch.length >= BATCH_ROWS) await flush();
    },
    async end(): Promise<Omit<RestoreSummary, "consistent">> {
      await flush();
      return { rows, expired };
    },
  };
}

/** Writes rows in one commit, or in halves where they are too many for one. */
async function write(
  context: Context,
  batch: readonly BackupRow[],
): Promise<void> {
  if (batch.length === 0) return;
  const fill = (atomic: KvAtomic) => {
    const nowMs = context.clock.now();
    for (const { key, value } of batch) {
      atomic.set(key, value, expiryOf(value, nowMs));
    }
  };
  try {
    await guardedCommit(context.kv, fill, context);
  } catch (error) {
    if (!isMisuse(error) || batch.length === 1) throw error;
    const half = Math.ceil(batch.length / 2);
    await write(context, batch.slice(0, half));
    await write(context, batch.slice(half));
  }
}
