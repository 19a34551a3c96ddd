import { Contention, TemporaryFailure } from "../domain/failure.ts";
import type { Callback } from "../domain/callbacks/callback.ts";
import type { EventLog } from "../domain/events/event.ts";
import type { BackupRun } from "../domain/operations/backup_target.ts";
import type {
  Clock,
  Families,
  Keys,
  ReadTables,
  Store,
  Transaction,
} from "../domain/ports.ts";
import type { ReadTable, Ref, Values } from "../domain/tables.ts";
import type { Spotlight } from "../domain/spotlights/spotlight.ts";
import { guardedCommit } from "./commit.ts";
import { currentHold } from "./current_hold.ts";
import { DEFAULT_PATIENCE, type Patience } from "./guard.ts";
import { freshRead } from "../domain/operations/fresh_read.ts";
import { keys } from "./keys.ts";
import type { KvAtomic, KvLike } from "./kv_like.ts";
import { lists as listsOf } from "./lists.ts";
import { migrate, untilDone } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import { type ReadMany, readManyFrom } from "./read_many.ts";
import { Guess, RememberedRows } from "./remembered_rows.ts";
import { counterRef, keyOfRef, recordRef, valueOf } from "./refs.ts";
import { type TableDefinition, tables } from "./tables.ts";
import { newAttempt, type TransactionAttempt } from "./transaction_tables.ts";

/** Races a transaction may lose, within its time, before it gives up. */
export const MAX_ATTEMPTS = 10;

/**
 * A code is exchanged a moment after it was made, and a grant is refreshed
 * where it was refreshed before: both are written by whoever reads them next.
 */
const REMEMBERED_FAMILIES = [keys.grant("")[0], keys.authorizationCode("")[0]];
/** About 1 KB each. */
const MAX_REMEMBERED = 40_000;

/** What transactions are run with. */
interface TransactParts {
  patience: Patience;
  readMany: ReadMany;
  rows: RememberedRows;
}

/** What the store is built on. */
export interface StoreOptions {
  kv: KvLike;
  clock: Clock;
  patience?: Patience;
  /** Of the service's secrets, for migrations. */
  keys?: Keys;
  /** Told of each lost race and lock, for metrics. */
  onRetry?: (why: "conflict" | "locked") => void;
  /**
   * Told of the Spotlights that a commit has just changed, before the verb
   * answers, so that this isolate shows them at once.
   */
  onSpotlightsChange?: (changed: readonly Spotlight[]) => void;
  /** Does a turn of continuous backups; none are made unless it is given. */
  backUp?: () => Promise<BackupRun>;
  /** Told of the mails that a commit has just put into the outbox. */
  onMailsQueued?: (mailIds: readonly string[]) => void;
  /** Told of the documents that a commit has just put down for the archive. */
  onDocumentsQueued?: (numbers: readonly string[]) => void;
  /** Told of the accounts for whose data a commit has just asked something. */
  onDataRequested?: (accountIds: readonly string[]) => void;
  /** Told of the accounts to which a commit has just added events. */
  onEventsNoted?: (logs: readonly EventLog[]) => void;
  /** Told of the invoices whose commission a commit has just made due. */
  onCommissionsDue?: (invoiceIds: readonly string[]) => void;
  /** Told of the payouts that a commit has just asked for. */
  onPayoutsRequested?: (payoutIds: readonly string[]) => void;
  /** Told of the callbacks that a commit has just written. */
  onCallbacksChanged?: (callbacks: readonly Callback[]) => void;
}

/** The service's store over Deno KV. */
export function createStore(options: StoreOptions): Store {
  const { kv, clock } = options;
  const patience = options.patience ?? DEFAULT_PATIENCE;
  const onLocked = () => options.onRetry?.("locked");
  const readMany = readManyFrom(kv, patience, onLocked);
  const rows = new RememberedRows(REMEMBERED_FAMILIES, MAX_REMEMBERED);
  const getMany = async <const R extends readonly Ref<unknown>[]>(refs: R) => {
    const wanted = refs.map(keyOfRef);
    const entries = await readMany(wanted.map((ref) => ref.key));
    return entries.map((entry, at) =>
      valueOf(entry, wanted[at]?.tracked ?? true, clock.now())
    ) as Values<R>;
  };
  const run: Store["transact"] = (verb) =>
    transact(options, { patience, readMany, rows }, verb);
  const reads = readTables(getMany);
  const nowMs = () => clock.now();
  const lists = listsOf({ kv, patience, onLocked, readMany, nowMs });
  return {
    ...reads,
    ...lists,
    get isEmbedded() {
      return kv.isEmbedded ?? false;
    },
    bidCounts: { ref: (day) => counterRef(keys.bidCount(day)) },
    signUpCounts: { ref: (...id) => counterRef(keys.signUpCount(...id)) },
    getMany,
    transact: run,
    spotlightsVersion: freshRead(async () => {
      const [entry] = await readMany([keys.spotlightsVersion()]);
      return entry?.versionstamp ?? "";
    }),
    currentHold: currentHold(readMany),
    migrate: untilDone((untilMs) =>
      migrate({
        kv,
        clock,
        patience,
        keys: options.keys,
        migrations: MIGRATIONS,
        store: { ...reads, ...lists, transact: run },
        untilMs,
      })
    ),
    backUp: options.backUp ?? (() => Promise.resolve("off")),
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
  { patience, readMany, rows }: TransactParts,
  run: (tx: Transaction) => Promise<T> | T,
): Promise<T> {
  const untilMs = patience.nowMs() + patience.verbMs;
  const onLocked = () => options.onRetry?.("locked");
  const budget = { patience, untilMs, onLocked };
  const fresh: ReadMany = (wanted) => readMany(wanted, untilMs);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const guess = new Guess(attempt === 1 ? rows : null, fresh);
    const tx = newAttempt(guess.read, () => options.clock.now());
    const outcome = await runOnce(tx, run);
    if ("thrown" in outcome || !tx.writes) {
      if (guess.dropped()) continue;
      if (await isFinal(outcome, tx, fresh)) return valueOrThrow(outcome);
    } else {
      const fill = (atomic: KvAtomic) => tx.fill(atomic);
      const committed = await guardedCommit(options.kv, fill, budget);
      if (committed !== null) {
        rows.note(tx.buffered, committed);
        notifyListeners(options, tx);
        return outcome.value;
      }
      if (guess.dropped()) continue;
    }
    options.onRetry?.("conflict");
    if (attempt === MAX_ATTEMPTS || patience.nowMs() >= untilMs) break;
    await patience.sleep(pauseMs(patience, attempt));
  }
  throw new Contention("Cannot commit: lost every race");
}

/** Tells this process what it has just committed. */
function notifyListeners(options: StoreOptions, tx: TransactionAttempt): void {
  const changed = tx.changedSpotlights();
  if (changed.length > 0) options.onSpotlightsChange?.(changed);
  const mails = tx.queuedMails().map(({ id }) => id);
  if (mails.length > 0) options.onMailsQueued?.(mails);
  const documents = tx.queuedDocuments().map(({ number }) => number);
  if (documents.length > 0) options.onDocumentsQueued?.(documents);
  const asked = tx.queuedDataRequests().map(({ accountId }) => accountId);
  if (asked.length > 0) options.onDataRequested?.(asked);
  const logs = tx.changedEventLogs();
  if (logs.length > 0) options.onEventsNoted?.(logs);
  const due = tx.invoicesOfCommissions().map(({ id }) => id);
  if (due.length > 0) options.onCommissionsDue?.(due);
  const payouts = tx.requestedPayouts().map(({ id }) => id);
  if (payouts.length > 0) options.onPayoutsRequested?.(payouts);
  const callbacks = tx.changedCallbacks();
  if (callbacks.length > 0) options.onCallbacksChanged?.(callbacks);
}

/** What an attempt came to: what it returned, or what it threw. */
type Outcome<T> = { value: T } | { thrown: unknown };

async function runOnce<T>(
  tx: TransactionAttempt,
  run: (tx: Transaction) => Promise<T> | T,
): Promise<Outcome<T>> {
  try {
    return { value: await run(tx) };
  } catch (thrown) {
    return { thrown };
  } finally {
    tx.end();
  }
}

/**
 * Whether what an attempt without a commit came to may be told. No commit has
 * checked what it read, so a refusal could rest on one row from before another
 * commit and one from after it.
 */
async function isFinal(
  outcome: Outcome<unknown>,
  tx: TransactionAttempt,
  readMany: ReadMany,
): Promise<boolean> {
  const isAway = "thrown" in outcome &&
    outcome.thrown instanceof TemporaryFailure;
  return isAway || await tx.isOfOneMoment(readMany);
}

function valueOrThrow<T>(outcome: Outcome<T>): T {
  if ("thrown" in outcome) throw outcome.thrown;
  return outcome.value;
}

/** A wait after a lost race, longer each time, up to 50 ms. */
function pauseMs(patience: Patience, attempt: number): number {
  return patience.random() * Math.min(2 ** attempt, 50);
}
