/**
 * Brings every index back to what its records say: rows that point at nothing
 * that has them are removed, rows that are missing or wrong are written. It
 * goes on while others work: each change is a commit that checks the record
 * and the rows it was judged by, and who loses a race looks again.
 *
 * @module
 */
import { invariant } from "../domain/invariant.ts";
import type { Clock } from "../domain/ports.ts";
import { guardedCommit } from "./commit.ts";
import { DEFAULT_PATIENCE, type Patience } from "./guard.ts";
import { keyText } from "./key_text.ts";
import type { KvAtomic, KvLike } from "./kv_like.ts";
import { PAGE, readPage } from "./pages.ts";
import { isPossibleKey } from "./possible_key.ts";
import { MAX_KEYS_READ, type ReadMany, readManyFrom } from "./read_many.ts";
import { expiryOf, valueOf } from "./refs.ts";
import {
  familyOf,
  type IndexRow,
  pointedKey,
  type TableDefinition,
  tables,
} from "./tables.ts";

/** Races a row may lose before it is left to whoever keeps changing it. */
const TRIES_MAX = 5;

/** What the indexes of one family have come to so far. */
export interface Reindexed {
  family: string;
  /** Whether all of it was looked at. */
  done: boolean;
  /** Records looked at. */
  records: number;
  /** Rows written. */
  written: number;
  /** Rows removed. */
  removed: number;
  /** Rows that two records lay claim to: left as they are, for a person. */
  contested: number;
}

/** What is reindexed, and how fast. */
export interface ReindexOptions {
  kv: KvLike;
  clock: Clock;
  patience?: Patience;
  /** Waits between pages, so that others are not held up. */
  pause?: () => Promise<void>;
  /** Rows read in one round trip. */
  pageRows?: number;
}

/** A family's layout, whatever its types. */
type AnyTable = TableDefinition<object, readonly never[]>;

interface Context {
  kv: KvLike;
  clock: Clock;
  patience: Patience;
  readMany: ReadMany;
}

/** Whose rows are looked at, and what it came to so far. */
interface Work extends Context {
  table: AnyTable;
  counts: Omit<Reindexed, "done" | "family">;
}

/** Where a reindexing goes on: within the rows of one family. */
export interface ReindexPlace {
  family: string;
  cursor: string | null;
}

/** One walk over the rows of a family: of an index, or of its records. */
interface Walk {
  family: string;
  table: AnyTable;
  visit(work: Work, rows: readonly Deno.KvEntry<unknown>[]): Promise<void>;
}

/** Stray rows first: one may lie where another record's is missing. */
const WALKS: readonly Walk[] = (Object.values(tables) as unknown as AnyTable[])
  .filter(({ indexes }) => indexes !== undefined)
  .flatMap((table) => [
    ...(table.indexFamilies ?? []).map((family) => ({
      family,
      table,
      visit: removeStrays,
    })),
    { family: familyOf(table.key), table, visit: writeMissingRows },
  ]);

/**
 * Reindexes every family that has indexes. Tells how far it is after each page
 * of rows, and of each family once more when it is done.
 */
export async function* reindex(
  options: ReindexOptions,
): AsyncGenerator<Reindexed, void> {
  let counts = noCounts();
  let place: ReindexPlace | null = null;
  do {
    const { table } = walkAt(place);
    const family = familyOf(table.key);
    place = (await reindexPage(options, place, counts)).next;
    yield { family, done: false, ...counts };
    await options.pause?.();
    if (place !== null && walkAt(place).table === table) continue;
    yield { family, done: true, ...counts };
    counts = noCounts();
  } while (place !== null);
}

/**
 * Does a page of rows, so that whoever remembers the place can go on later.
 *
 * @param place where to go on; null at the start
 * @param counts what it came to is added here
 * @returns where to go on, null at the end, and how many rows there were
 */
export async function reindexPage(
  options: ReindexOptions,
  place: ReindexPlace | null,
  counts: Work["counts"] = noCounts(),
): Promise<{ next: ReindexPlace | null; rows: number }> {
  const { kv, pageRows = PAGE, patience = DEFAULT_PATIENCE } = options;
  const { family, table, visit } = walkAt(place);
  const page = await readPage({ kv, patience }, { prefix: [family] }, {
    limit: pageRows,
    cursor: place?.cursor ?? null,
  });
  const readMany = readManyFrom(kv, patience);
  const work = { ...options, patience, readMany, table, counts };
  await visit(work, page.entries);
  const rows = page.entries.length;
  if (page.cursor !== null) {
    return { next: { family, cursor: page.cursor }, rows };
  }
  const other = WALKS[WALKS.findIndex((walk) => walk.family === family) + 1];
  const next = other === undefined
    ? null
    : { family: other.family, cursor: null };
  return { next, rows };
}

/** A place in a family that is no more begins at the start. */
function walkAt(place: ReindexPlace | null): Walk {
  const walk = WALKS.find(({ family }) => family === place?.family) ?? WALKS[0];
  invariant(walk !== undefined, "some family has indexes");
  return walk;
}

function noCounts(): Work["counts"] {
  return { records: 0, written: 0, removed: 0, contested: 0 };
}

/** Removes rows of an index whose records do not have them. */
async function removeStrays(
  work: Work,
  rows: readonly Deno.KvEntry<unknown>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += MAX_KEYS_READ) {
    await removeStray(work, rows.slice(at, at + MAX_KEYS_READ));
  }
}

/** Writes the rows that records lack. */
async function writeMissingRows(
  work: Work,
  entries: readonly Deno.KvEntry<unknown>[],
): Promise<void> {
  for (const entry of entries) await writeMissing(work, entry);
  work.counts.records += entries.length;
}

/** Removes those of up to ten rows whose records do not have them. */
async function removeStray(
  work: Work,
  rows: readonly Deno.KvEntry<unknown>[],
): Promise<void> {
  const { counts, readMany, table } = work;
  const owners = await readMany(
    rows.map(({ value }) => pointedKey(table, value)),
  );
  for (const [nth, row] of rows.entries()) {
    const owner = owners[nth];
    if (owner === undefined || hasRow(work, owner, row.key)) continue;
    const removed = await commit(work, [owner, row], (atomic) => {
      atomic.delete(row.key);
    });
    counts.removed += removed ? 1 : 0;
  }
}

/** Writes the rows that a record lacks; again when it changed meanwhile. */
async function writeMissing(
  work: Work,
  entry: Deno.KvEntryMaybe<unknown>,
): Promise<void> {
  let record = entry;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const rows = rowsOf(work, record);
    let isWhole = true;
    for (let at = 0; at < rows.length; at += MAX_KEYS_READ) {
      const some = rows.slice(at, at + MAX_KEYS_READ);
      const found = await work.readMany(some.map(({ key }) => key));
      for (const [nth, row] of some.entries()) {
        const before = found[nth];
        if (before === undefined) continue;
        isWhole &&= await writeRow(work, { record, row, before });
      }
    }
    if (isWhole) return;
    record = (await work.readMany([record.key]))[0] ?? record;
  }
}

/** Writes one row where it is missing or wrong; false when a race was lost. */
async function writeRow(
  work: Work,
  { record, row, before }: {
    record: Deno.KvEntryMaybe<unknown>;
    row: IndexRow;
    before: Deno.KvEntryMaybe<unknown>;
  },
): Promise<boolean> {
  if (sameValue(before.value, row.value)) return true;
  if (await isClaimed(work, before, record.key)) {
    work.counts.contested += 1;
    return true;
  }
  const written = await commit(work, [record, before], (atomic) => {
    const nowMs = work.clock.now();
    atomic.set(row.key, row.value, expiryOf(row.value, nowMs));
  });
  work.counts.written += written ? 1 : 0;
  return written;
}

/** The rows that a record has; those it keeps absent are left out. */
function rowsOf(
  { table, clock }: Work,
  entry: Deno.KvEntryMaybe<unknown>,
): IndexRow[] {
  const record = valueOf<object>(entry, true, clock.now());
  if (record === null) return [];
  return table.indexes?.(record).filter(({ value }) => value !== null) ?? [];
}

function hasRow(
  work: Work,
  owner: Deno.KvEntryMaybe<unknown>,
  key: Deno.KvKey,
): boolean {
  return rowsOf(work, owner).some((row) => keyText(row.key) === keyText(key));
}

/** Whether a row is there already, of another record that should have it. */
async function isClaimed(
  work: Work,
  row: Deno.KvEntryMaybe<unknown>,
  ownKey: Deno.KvKey,
): Promise<boolean> {
  if (row.value === null) return false;
  const key = pointedKey(work.table, row.value);
  if (keyText(key) === keyText(ownKey)) return false;
  const [owner] = await work.readMany([key]);
  return owner !== undefined && hasRow(work, owner, row.key);
}

/** Commits a change if what it was judged by still stands; says whether. */
async function commit(
  { kv, patience }: Work,
  judgedBy: readonly Deno.KvEntryMaybe<unknown>[],
  change: (atomic: KvAtomic) => void,
): Promise<boolean> {
  // A row may point nowhere, where nothing can change.
  const checks = judgedBy.filter(({ key }) => isPossibleKey(key))
    .map(({ key, versionstamp }) => ({ key, versionstamp }));
  const versionstamp = await guardedCommit(kv, (atomic) => {
    atomic.check(...checks);
    change(atomic);
  }, { patience });
  return versionstamp !== null;
}

function sameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
