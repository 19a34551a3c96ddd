/**
 * Brings a backup back into an empty store, in two passes over its source. The
 * first writes nothing and makes sure that the backup is whole and the service's
 * own. The second writes, between a mark that it has begun and the removal of
 * the mark. Every batch notes in the mark how far it is. After a crash the mark
 * stands: the same backup is then gone on with behind that row, and no other is.
 *
 * The commit of the mark puts the store on hold, too, before its first row: no
 * crash leaves rows without a hold, and only an operator ends it. The row that
 * says which version the rows are of comes last, so that no half of a store says
 * it.
 *
 * @module
 */
import { type Hold, holdAfterRestore } from "../domain/hold/hold.ts";
import type { Clock, Keys } from "../domain/ports.ts";
import { refuse } from "../domain/refusal.ts";
import {
  type BackupRow,
  type ReadBackup,
  readBackup,
} from "../kv/backup_format.ts";
import { restoredAt } from "../kv/backed_up.ts";
import { type Change, changeOf, type ReadChanges } from "../kv/change_file.ts";
import { verifyBackup } from "../kv/backup_trailer.ts";
import { guardedCommit } from "../kv/commit.ts";
import { DEFAULT_PATIENCE, isMisuse, type Patience } from "../kv/guard.ts";
import { incompleteBackup } from "../kv/incomplete_backup.ts";
import { isEphemeral } from "../kv/ephemeral.ts";
import { keys } from "../kv/keys.ts";
import type { KvAtomic, KvLike } from "../kv/kv_like.ts";
import { persistentPages } from "../kv/pages.ts";
import { expiryOf, isExpired } from "../kv/refs.ts";
import { SCHEMA_VERSION, type SchemaRow } from "../kv/schema.ts";
import {
  findUnfinishedRestore,
  type UnfinishedRestore,
} from "../kv/unfinished_restore.ts";

/** Rows in one commit; fewer when they are long. */
const BATCH_ROWS = 900;
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
  /**
   * Files of changes that follow a backup of that checksum, in order; called
   * twice.
   *
   * @throws {Refused} `invalid_input` where one is missing or altered
   */
  changes?: (sha256: string) => AsyncIterable<ReadChanges>;
  /** Those of the service; null in development, where nobody holds any. */
  keys: Keys | null;
  /** Takes a backup of which these keys prove nothing. */
  takesUnverified?: boolean;
  /** To practise with: never released, never meets real money or people. */
  isDrill?: boolean;
  /** Throws {@linkcode OfADrill} on the backup of a store of that kind. */
  refusesDrill?: boolean;
  patience?: Patience;
}

/** The backup is of a store to practise with; nothing was written. */
export class OfADrill extends Error {
  override readonly name = "OfADrill";
}

/** What a restore came to. */
export interface RestoreSummary {
  /** Rows written. */
  rows: number;
  /** Rows left out because they had expired. */
  expired: number;
  /** Whether all rows of the backup are of one moment. */
  consistent: boolean;
  /** Whether its MAC proves that it was made under the service's secrets. */
  verified: boolean;
  /** Up to when the files of changes go that were restored with it. */
  until?: string;
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
 * @throws {Refused} `invalid_input` when it is not whole or not the service's
 * own, nothing was written
 * @throws {OfADrill} where that is refused
 * @throws {Refused} `store_not_empty` unless the store is empty or holds an
 * unfinished restore of the same backup
 */
export async function restore(
  options: RestoreOptions,
): Promise<RestoreSummary> {
  const { kv, clock, open, patience = DEFAULT_PATIENCE } = options;
  const context: Context = { kv, clock, patience };
  const read = await verify(options);
  if (options.refusesDrill && read.hold?.kind === "drill") throw new OfADrill();
  const hold = holdAfterRestore(read.hold, {
    kind: options.isDrill === true ? "drill" : "restored",
    restoredAtMs: clock.now(),
    backupAtMs: read.startedAtMs,
  });
  const begun = await begin(context, read.sha256, hold);
  const writer = batchWriter(context, begun);
  const first = await readBackup(await open(), writer.add);
  let { sha256 } = first;
  for await (const file of options.changes?.(sha256) ?? []) {
    for (const line of file.lines) await writer.change(changeOf(line), line);
    sha256 = file.sha256;
  }
  if (sha256 !== read.sha256) incompleteBackup("it changed while it was read");
  const { rows, expired, end } = await writer.end();
  await goOn(context, end, (atomic) => {
    atomic.set(keys.hold(), { ...hold, isWhole: true });
    if (read.schema !== null) atomic.set(keys.schema(), read.schema);
    else atomic.delete(keys.schema());
    atomic.delete(keys.unfinishedRestore());
  });
  return {
    rows: rows + (read.schema === null ? 0 : 1),
    expired,
    consistent: read.consistent,
    verified: read.isVerified,
    ...read.until !== null && { until: read.until },
    hold: hold.kind,
  };
}

/** A backup that may be restored, with the rows that are not copied as rows. */
interface VerifiedBackup extends Pick<ReadBackup, "startedAtMs"> {
  /** Of the last file of changes, or of the backup where there is none. */
  sha256: string;
  consistent: boolean;
  isVerified: boolean;
  until: string | null;
  /** Of the store that was backed up; this store has a hold of its own. */
  hold: Hold | null;
  schema: SchemaRow | null;
}

/** The first pass. */
async function verify(options: RestoreOptions): Promise<VerifiedBackup> {
  const apart = new Map<unknown, unknown>();
  const read = await readBackup(await options.open(), ({ key, value }) => {
    if (isApart(key)) apart.set(key[0], value);
  });
  const { keys: known, takesUnverified = false } = options;
  let isVerified = verifyBackup(read, known, takesUnverified);
  let { sha256, consistent } = read;
  let until: string | null = null;
  for await (const file of options.changes?.(sha256) ?? []) {
    for (const { key, value } of file.lines.map(changeOf)) {
      if (isApart(key)) apart.set(key[0], value);
    }
    ({ sha256, at: until } = file);
    isVerified &&= file.isVerified;
    consistent = true;
  }
  const [hold, schema] = [keys.hold(), keys.schema()]
    .map(([family]) => apart.get(family) ?? null) as [
      Hold | null,
      SchemaRow | null,
    ];
  if (Math.max(read.readableFrom, schema?.readableFrom ?? 0) > SCHEMA_VERSION) {
    incompleteBackup("a newer version of the service made it");
  }
  const { startedAtMs } = read;
  return { startedAtMs, sha256, consistent, isVerified, until, hold, schema };
}

/** Rows of which the last commit of a restore decides. */
function isApart([family]: Deno.KvKey): boolean {
  return family === keys.hold()[0] || family === keys.schema()[0];
}

/** Begins, or goes on where the restore of the same backup was cut off. */
async function begin(
  context: Context,
  sha256: string,
  hold: Hold,
): Promise<UnfinishedRestore> {
  const { kv, patience } = context;
  const found = await findUnfinishedRestore(kv, patience);
  if (found?.mark.sha256 === sha256) {
    return await putOnHold(context, found, hold);
  }
  if (found !== null || !await isEmpty(context)) {
    refuse({ code: "store_not_empty" });
  }
  const key = keys.unfinishedRestore();
  const mark = { sha256, startedAtMs: context.clock.now(), done: 0 };
  const versionstamp = await guardedCommit(kv, (atomic) => {
    atomic.check({ key, versionstamp: null });
    // Another restore may have begun and ended since the store was empty.
    atomic.check({ key: keys.hold(), versionstamp: null });
    atomic.set(key, mark);
    atomic.set(keys.hold(), hold);
  }, context);
  if (versionstamp === null) refuse({ code: "store_not_empty" });
  return { mark, versionstamp };
}

/** Restoring again may say that it is a drill, or that it is none after all. */
async function putOnHold(
  context: Context,
  found: UnfinishedRestore,
  hold: Hold,
): Promise<UnfinishedRestore> {
  const { mark } = found;
  const versionstamp = await goOn(context, found, (atomic) => {
    atomic.set(keys.unfinishedRestore(), mark);
    atomic.set(keys.hold(), hold);
  });
  return { mark, versionstamp };
}

/**
 * Commits as long as nobody else goes on with the same restore.
 *
 * @returns the version of what was written
 */
async function goOn(
  { kv, patience }: Context,
  { versionstamp }: UnfinishedRestore,
  fill: (atomic: KvAtomic) => void,
): Promise<string> {
  const key = keys.unfinishedRestore();
  const written = await guardedCommit(kv, (atomic) => {
    atomic.check({ key, versionstamp });
    fill(atomic);
  }, { patience });
  return written ?? incompleteBackup("another restore has taken it over");
}

async function isEmpty(context: Context): Promise<boolean> {
  const first = await persistentPages(context, 1).next();
  return first.done === true;
}

/** What is written of a row, and its place in what is restored, from 1 on. */
interface PlacedRow extends BackupRow {
  place: number;
  isRemoved: boolean;
}

/** Collects rows and writes them, some at a time, but for those already there. */
function batchWriter(context: Context, begun: UnfinishedRestore) {
  let batch: PlacedRow[] = [];
  let size = 0;
  let place = 0;
  let rows = 0;
  let expired = 0;
  let end = begun;
  const flush = async () => {
    end = await write(context, end, batch);
    batch = [];
    size = 0;
  };
  const put = async (found: Omit<PlacedRow, "place">) => {
    const { key, value } = found;
    const row = {
      ...found,
      value: restoredAt(key, value, context.clock.now()),
    };
    rows += row.isRemoved ? 0 : 1;
    if (place <= begun.mark.done) return;
    if (size + row.size > BATCH_SIZE && batch.length > 0) await flush();
    batch.push({ ...row, place });
    size += row.size;
    if (batch.length >= BATCH_ROWS) await flush();
  };
  const isLeftOut = (key: Deno.KvKey) => isApart(key) || isEphemeral(key);
  return {
    async add(row: BackupRow): Promise<void> {
      place += 1;
      if (isLeftOut(row.key)) return;
      if (!isExpired(row.value, context.clock.now())) {
        return await put({ ...row, isRemoved: false });
      }
      expired += 1;
    },
    /** What has expired since takes the place of what had not. */
    async change(change: Change, line: string): Promise<void> {
      place += 1;
      if (isLeftOut(change.key)) return;
      const isRemoved = change.isRemoved ||
        isExpired(change.value, context.clock.now());
      await put({ ...change, isRemoved, size: line.length });
    },
    async end() {
      await flush();
      return { rows, expired, end };
    },
  };
}

/** Writes rows in one commit, or in halves where they are too many for one. */
async function write(
  context: Context,
  before: UnfinishedRestore,
  batch: readonly PlacedRow[],
): Promise<UnfinishedRestore> {
  const last = batch.at(-1);
  if (last === undefined) return before;
  const mark = { ...before.mark, done: last.place };
  const fill = (atomic: KvAtomic) => {
    const nowMs = context.clock.now();
    atomic.set(keys.unfinishedRestore(), mark);
    for (const { key, value, isRemoved } of batch) {
      if (isRemoved) atomic.delete(key);
      else atomic.set(key, value, expiryOf(value, nowMs));
    }
  };
  try {
    return { mark, versionstamp: await goOn(context, before, fill) };
  } catch (error) {
    if (!isMisuse(error) || batch.length === 1) throw error;
    const half = Math.ceil(batch.length / 2);
    const first = await write(context, before, batch.slice(0, half));
    return await write(context, first, batch.slice(half));
  }
}
