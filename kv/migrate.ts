import type { MigrationRun } from "../domain/operations/migration_run.ts";
import { isAhead } from "../domain/tasks/due.ts";
import type { Migration, MigrationParts } from "./migrations.ts";
import { type ReadSchema, readSchema, writeSchema } from "./schema.ts";

/** Longer than any step takes; what is left by a dead process waits so long. */
const LEASE_MS = 60_000;
/** Between two steps: others are not to be held up. */
const PAUSE_MS = 50;

/** What is migrated, and how long at most. */
export interface MigrateOptions extends MigrationParts {
  migrations: readonly Migration[];
  /** What is not done by then is left for the next run, epoch ms. */
  untilMs: number;
}

/**
 * Goes on with the migrations of a store, one step after another. One process
 * does it at a time, by a lease; after a crash another goes on at the cursor.
 */
export async function migrate(options: MigrateOptions): Promise<MigrationRun> {
  const { kv, clock, migrations, patience } = options;
  for (;;) {
    const read = await readSchema(kv, patience);
    const { version, migration } = read.row;
    const next = nextOf(migrations, version);
    if (next === undefined) return { version, state: "done" };
    const leaseUntilMs = migration?.leaseUntilMs ?? 0;
    if (isAhead(leaseUntilMs, clock.now(), LEASE_MS)) {
      return { version, state: "elsewhere" };
    }
    const state = await bringTo(options, next, read);
    if (state !== "done") return { version, state };
  }
}

/**
 * The migration that comes next. Several in a row that do the same are one, as
 * where one index after the other was added: every row is looked at once.
 */
function nextOf(
  migrations: readonly Migration[],
  version: number,
): Migration | undefined {
  const left = migrations.filter(({ to }) => to > version);
  const other = left.findIndex(({ step }) => step !== left[0]?.step);
  const same = other === -1 ? left : left.slice(0, other);
  const last = same.at(-1);
  return last && {
    ...last,
    readableFrom: Math.max(...same.map(({ readableFrom }) => readableFrom)),
  };
}

/** Asks no more once all is done: no migration is ever taken back. */
export function untilDone(
  run: (untilMs: number) => Promise<MigrationRun>,
): (untilMs: number) => Promise<MigrationRun> {
  let done: MigrationRun | null = null;
  return async (untilMs) => {
    if (done !== null) return done;
    const ended = await run(untilMs);
    if (ended.state === "done") done = ended;
    return ended;
  };
}

/** Does the steps of one migration. */
async function bringTo(
  options: MigrateOptions,
  next: Migration,
  read: ReadSchema,
): Promise<MigrationRun["state"]> {
  const { clock, patience, untilMs } = options;
  const { migration } = read.row;
  let cursor = migration?.to === next.to ? migration.cursor : null;
  let saved: ReadSchema | null = read;
  for (;;) {
    saved = await save(options, next, { ...saved, cursor });
    if (saved === null) return "elsewhere";
    if (clock.now() >= untilMs) {
      await save(options, next, { ...saved, cursor, isLeft: true });
      return "unfinished";
    }
    cursor = await next.step(options, cursor);
    if (cursor === null) break;
    await patience.sleep(PAUSE_MS);
  }
  const row = { ...saved.row, version: next.to, migration: null };
  const ended = await writeSchema(options.kv, { ...saved, row }, patience);
  return ended === null ? "elsewhere" : "done";
}

/** Writes down how far it is, for who goes on; null when somebody else does. */
function save(
  { kv, clock, patience }: MigrateOptions,
  { to, readableFrom }: Migration,
  { row, versionstamp, cursor, isLeft = false }: ReadSchema & {
    cursor: string | null;
    isLeft?: boolean;
  },
): Promise<ReadSchema | null> {
  const leaseUntilMs = isLeft ? 0 : clock.now() + LEASE_MS;
  return writeSchema(kv, {
    row: {
      ...row,
      readableFrom: Math.max(row.readableFrom, readableFrom),
      migration: { to, cursor, leaseUntilMs },
    },
    versionstamp,
  }, patience);
}
