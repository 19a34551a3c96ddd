/**
 * Which version of the stored shapes a store is of. The service reads every
 * shape from {@linkcode FIRST_VERSION} on, and brings older rows to its own.
 * Decision 0256 has the rule for versions that run side by side.
 *
 * @module
 */
import { guardedCommit } from "./commit.ts";
import { persistentPages } from "./pages.ts";
import { DEFAULT_PATIENCE, type Patience } from "./guard.ts";
import { keys } from "./keys.ts";
import type { KvLike } from "./kv_like.ts";
import { readManyFrom } from "./read_many.ts";

/** The version of what is written now; it only grows. */
export const SCHEMA_VERSION = 14;
/** The first, of stores that do not say which they are of. */
export const FIRST_VERSION = 1;

/** What a store says of its rows. */
export interface SchemaRow {
  /** Every row is of this version or a later one. */
  version: number;
  /** Versions of the service from this one on read every row there may be. */
  readableFrom: number;
  /** What is under way; null between migrations. */
  migration: MigrationProgress | null;
}

/** How far a migration is. */
export interface MigrationProgress {
  /** The version it leads to. */
  to: number;
  /** Where to go on; null at the start. */
  cursor: string | null;
  /** Until then nobody else goes on with it, epoch ms. */
  leaseUntilMs: number;
}

/** A row that was read, and by which it may be changed. */
export interface ReadSchema {
  row: SchemaRow;
  versionstamp: string | null;
}

/** A store that this version of the service cannot run over. */
export class SchemaTooNew extends Error {
  override readonly name = "SchemaTooNew";
}

/** Reads what a store says; a store that says nothing is of the first version. */
export async function readSchema(
  kv: KvLike,
  patience: Patience = DEFAULT_PATIENCE,
): Promise<ReadSchema> {
  const [entry] = await readManyFrom(kv, patience)([keys.schema()]);
  const row = (entry?.value ?? {
    version: FIRST_VERSION,
    readableFrom: FIRST_VERSION,
    migration: null,
  }) as SchemaRow;
  return { row, versionstamp: entry?.versionstamp ?? null };
}

/** Writes a row over the one that was read; null when somebody else was faster. */
export async function writeSchema(
  kv: KvLike,
  { versionstamp, row }: ReadSchema,
  patience: Patience = DEFAULT_PATIENCE,
): Promise<ReadSchema | null> {
  const key = keys.schema();
  const written = await guardedCommit(kv, (atomic) => {
    atomic.check({ key, versionstamp });
    atomic.set(key, row);
  }, { patience });
  return written === null ? null : { row, versionstamp: written };
}

/**
 * Makes sure, before anything else is done with a store, that this version of
 * the service can read it. An empty one is of this version from then on.
 *
 * @throws {SchemaTooNew} with a sentence for who started it
 */
export async function checkSchema(
  kv: KvLike,
  patience: Patience = DEFAULT_PATIENCE,
): Promise<void> {
  const { row, versionstamp } = await readSchema(kv, patience);
  if (versionstamp === null && await isEmpty(kv, patience)) {
    const now = { ...row, version: SCHEMA_VERSION };
    // Whoever is faster has written the same, or a later version its own.
    await writeSchema(kv, { row: now, versionstamp }, patience);
    return await checkSchema(kv, patience);
  }
  if (row.readableFrom <= SCHEMA_VERSION) return;
  throw new SchemaTooNew(
    `its rows are of version ${row.version}, which takes a newer version of ` +
      `the service: this one reads up to ${SCHEMA_VERSION}`,
  );
}

/** Whether a store has no row that is worth a backup. */
export async function isEmpty(
  kv: KvLike,
  patience: Patience = DEFAULT_PATIENCE,
): Promise<boolean> {
  const first = await persistentPages({ kv, patience }, 1).next();
  return first.done === true;
}
