/**
 * Brings a backup back into an empty store, in two passes over its source. The
 * first writes nothing and makes sure that the backup is whole. The second
 * writes, between a mark that it has begun and the removal of the mark. After
 * a crash the mark stands: the same backup is then restored again from the
 * start, which changes nothing that is already there, and no other is.
 *
 * The commit of the mark puts the store on hold, too, before its first row: no
 * crash leaves rows without a hold, and only an operator ends it.
 *
 * @module
 */
import { type Hold, holdAfterRestore } from "../domain/hold/hold.ts";
import type { Clock } from "../domain/ports.ts";
import { refuse } from "../domain/refusal.ts";
import {
  type BackupRow,
  incompleteBackup,
  readBackup,
} from "../kv/backup_format.ts";
import { guardedCommit } from "../kv/commit.ts";
import { persistentPages } from "../kv/pages.ts";
import { DEFAULT_PATIENCE, isMisuse, type Patience } from "../kv/guard.ts";
import { keys } from "../kv/keys.ts";
import type { KvAtomic, KvLike } from "../kv/kv_like.ts";
import { expiryOf, isExpired } from "../kv/refs.ts";
import { SCHEMA_VERSION } from "../kv/schema.ts";
import {
  findUnfinishedRestore,
  type UnfinishedRestore,
} from "../kv/unfinished_restore.ts";

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
  /** To practise with: never released, never meets real money or people. */
  isDrill?: boolean;
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
  /** What the store is now on hold as. */
  hold: Hold["kind"];
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
  let carried: Hold | null = null;
  const read = await readBackup(await open(), ({ key, value }) => {
    if (isHold(key)) carried = value as Hold;
  });
  const { sha256, consistent, readableFrom } = read;
  if (readableFrom > SCHEMA_VERSION) {
    incompleteBackup("a newer version of the service made it");
  }
  const hold = holdAfterRestore(carried, {
    kind: options.isDrill === true ? "drill" : "restored",
    restoredAtMs: clock.now(),
    backupAtMs: read.startedAtMs,
  });
  await begin(context, { sha256, startedAtMs: clock.now() }, hold);
  const writer = batchWriter(context);
  const again = await readBackup(await open(), writer.add);
  if (again.sha256 !== sha256) incompleteBackup("it changed while it was read");
  const summary = await writer.end();
  await guardedCommit(
    kv,
    (atomic) => {
      atomic.set(keys.hold(), { ...hold, isWhole: true });
      atomic.delete(keys.unfinishedRestore());
    },
    { patience },
  );
  return { ...summary, consistent, hold: hold.kind };
}

/** Of the store that was backed up; this store has a hold of its own. */
function isHold(key: Deno.KvKey): boolean {
  return key[0] === keys.hold()[0];
}

async function begin(
  context: Context,
  mark: UnfinishedRestore,
  hold: Hold,
): Promise<void> {
  const found = await findUnfinishedRestore(context.kv, context.patience);
  if (found?.sha256 === mark.sha256) return await putOnHold(context, hold);
  if (found !== null || !await isEmpty(context)) {
    refuse({ code: "store_not_empty" });
  }
  const key = keys.unfinishedRestore();
  const marked = await guardedCommit(context.kv, (atomic) => {
    atomic.check({ key, versionstamp: null });
    atomic.set(key, mark);
    atomic.set(keys.hold(), hold);
  }, context);
  if (marked === null) refuse({ code: "store_not_empty" });
}

/** Restoring again may say that it is a drill, or that it is none after all. */
async function putOnHold(context: Context, hold: Hold): Promise<void> {
  await guardedCommit(
    context.kv,
    (atomic) => atomic.set(keys.hold(), hold),
    context,
  );
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
      if (isHold(row.key)) return;
      if (isExpired(row.value, context.clock.now())) {
        expired += 1;
        return;
      }
      if (size + row.size > BATCH_SIZE && batch.length > 0) await flush();
      batch.push(row);
      size += row.size;
      if (batch.length >= BATCH_ROWS) await flush();
    },
    async end(): Promise<Pick<RestoreSummary, "rows" | "expired">> {
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
