import {
  Contention,
  OutcomeUnknown,
  StoreUnavailable,
} from "../domain/failure.ts";
import type {
  Clock,
  Families,
  ReadTable,
  ReadTables,
  Ref,
  Store,
  Transaction,
  Values,
} from "../domain/ports.ts";
import {
  DEFAULT_PATIENCE,
  guardedRead,
  isLocked,
  lockedPauseMs,
  type Patience,
  withDeadline,
} from "./guard.ts";
import { keys } from "./keys.ts";
import type { KvLike } from "./kv_like.ts";
import { lists } from "./lists.ts";
import { counterRef, inside, recordRef, valueOf } from "./refs.ts";
import { type TableDefinition, tables } from "./tables.ts";
import { KvTransaction, type ReadMany, withTables } from "./transaction.ts";

/** Races a transaction may lose before it gives up. */
export const MAX_ATTEMPTS = 10;

/** What the store is built on. */
export interface StoreOptions {
  kv: KvLike;
  clock: Clock;
  patience?: Patience;
  /** Told of each lost race and lock, for metrics. */
  onRetry?: (why: "conflict" | "locked") => void;
}

/** The service's store over Deno KV. */
export function createStore(options: StoreOptions): Store {
  const { kv, clock } = options;
  const patience = options.patience ?? DEFAULT_PATIENCE;
  const readMany: ReadMany = (wanted) =>
    guardedRead(() => kv.getMany(wanted), patience);
  const getMany = async <const R extends readonly Ref<unknown>[]>(refs: R) => {
    const wanted = refs.map(inside);
    const entries = await readMany(wanted.map((ref) => ref.key));
    return entries.map((entry, at) =>
      valueOf(entry, wanted[at]?.tracked ?? true, clock.now())
    ) as Values<R>;
  };
  return {
    ...readTables(getMany),
    ...lists({ kv, patience, nowMs: () => clock.now() }),
    bidCounts: { ref: (day) => counterRef(keys.bidCount(day)) },
    getMany,
    transact: (run) => transact(options, patience, readMany, run),
    async spotlightsVersion() {
      const [entry] = await readMany([keys.spotlightsVersion()]);
      return entry?.versionstamp ?? "";
    },
    async ping() {
      await readMany([keys.calendar()]);
    },
  };
}

function readTables(getMany: Store["getMany"]): ReadTables {
  const all: Record<string, unknown> = {};
  for (const [family, definition] of Object.entries(tables)) {
    // Each family's own types are restored by the cast to ReadTables below.
    all[family] = readTable(getMany, definition as TableDefinition<object, []>);
  }
  return all as { [F in keyof Families]: never };
}

function readTable<T, Id extends readonly unknown[]>(
  getMany: Store["getMany"],
  definition: TableDefinition<T, Id>,
): ReadTable<T, Id> {
  return {
    ref: (...id) => recordRef<T>(definition.key(...id)),
    async find(...id) {
      const [value] = await getMany([recordRef<T>(definition.key(...id))]);
      return value as T | null;
    },
  };
}

async function transact<T>(
  options: StoreOptions,
  patience: Patience,
  readMany: ReadMany,
  run: (tx: Transaction) => Promise<T> | T,
): Promise<T> {
  const untilMs = patience.nowMs() + patience.verbMs;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const tx = new KvTransaction(readMany, () => options.clock.now());
    const result = await run(withTables(tx));
    if (!tx.writes) return result;
    if (await commit(options, patience, tx, untilMs)) return result;
    options.onRetry?.("conflict");
    await patience.sleep(patience.random() * Math.min(2 ** attempt, 50));
  }
  throw new Contention(`Cannot commit: lost ${MAX_ATTEMPTS} races`);
}

/** Commits; `false` means that a check failed and nothing was written. */
async function commit(
  options: StoreOptions,
  patience: Patience,
  tx: KvTransaction,
  untilMs: number,
): Promise<boolean> {
  for (;;) {
    const atomic = options.kv.atomic();
    tx.fill(atomic);
    try {
      return (await withDeadline(atomic.commit(), patience.callMs)).ok;
    } catch (error) {
      if (!isLocked(error)) throw outcomeOf(error);
      if (patience.nowMs() >= untilMs) {
        throw new StoreUnavailable("Cannot commit: the store stays locked", {
          cause: error,
        });
      }
    }
    options.onRetry?.("locked");
    await patience.sleep(lockedPauseMs(patience));
  }
}

/**
 * A limit of the store (a value or commit too large) is a bug and stays what it
 * is; after anything else nobody knows whether the commit has applied.
 */
function outcomeOf(error: unknown): unknown {
  if (
    error instanceof TypeError && /too (large|many|long)/i.test(error.message)
  ) {
    return error;
  }
  return new OutcomeUnknown("Cannot tell whether the commit has applied", {
    cause: error,
  });
}
