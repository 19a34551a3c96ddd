/**
 * Durable tasks: rows that say what is to be done. Whoever wants one done takes
 * a lease of it in one commit, does the work outside of any, and records the
 * result in another. A crash between any two leaves a row whose turn
 * comes again when its lease has ended, so work is done at least once, and an
 * attempt that was begun always counts.
 *
 * @module
 */
import { invariant } from "../invariant.ts";
import type { Services, StartTimer, Transaction } from "../ports.ts";
import { type Change, changeRows, type LeasedRows } from "./lease.ts";

/** One kind of task. `Ending` is what doing it came to. */
export interface TaskFamily<Row, Ending> extends LeasedRows<Row> {
  /** Whether the row's turn has come and nobody has it. */
  isFree(row: Row, nowMs: number): boolean;
  /** Whether it is done while the store is on hold. */
  runsOnHold(row: Row): boolean;
  /**
   * Whether the row has no attempt left, though none has ended it: the last one
   * died with its process. Then it ends by `null`. No row, if left out.
   */
  isUsedUp?(row: Row): boolean;
  /** Does what the rows ask for, by one piece of work. */
  run(services: Services, held: Held<Row>): Promise<Ending>;
  /** The row as the ending leaves it; null leaves it as it is. */
  after(
    row: Row,
    ended: Ended<Row, Ending>,
    tx: Transaction,
  ): Row | null | Promise<Row | null>;
  /** Tells the log, once the row is written. */
  report(services: Services, outcome: TaskOutcome<Row, Ending>): void;
}

/** Rows of one piece of work: one in most families. */
export type Held<Row> = readonly [Row, ...Row[]];

/** How an attempt ended. */
export interface Ended<Row, Ending> {
  /** The row as the attempt had it; whoever took it since then has another. */
  held: Row;
  /** Null: with the process that made the last attempt there was. */
  ending: Ending | null;
  nowMs: number;
}

/** How an attempt has changed a row. */
export interface TaskOutcome<Row, Ending>
  extends Omit<Ended<Row, Ending>, "nowMs"> {
  /** How the outcome changed the row; null: it had been written before. */
  change: Change<Row> | null;
}

/** Renews leases while work goes on that may take longer than one. */
export interface Renewal<Row> {
  startTimer: StartTimer;
  /** The row with its lease prolonged; null when it is another's by now. */
  renewed(row: Row, held: Row, untilMs: number): Row | null;
  /** Told of a renewal that failed; two more come before the lease ends. */
  failed(error: unknown): void;
}

/**
 * Does the tasks of these ids by one piece of work, those of them that are due
 * and nobody else's, and records the result.
 *
 * @throws {TemporaryFailure} when the store can't be reached; what was leased
 * is then due again once the lease has ended
 */
export async function runTask<Row, Ending>(
  services: Services,
  family: TaskFamily<Row, Ending>,
  ids: readonly string[],
  renewal?: Renewal<Row>,
): Promise<void> {
  const [first, ...others] = await takeLeases(services, family, ids);
  if (first === undefined) return;
  const held: Held<Row> = [first, ...others];
  const renewing = renewal && keepRenewing(services, family, held, renewal);
  let ending: Ending;
  try {
    ending = await family.run(services, held);
  } finally {
    await renewing?.stop();
  }
  await settle(services, family, held, ending);
}

/** The rows that are now held; those used up are told and left out. */
async function takeLeases<Row, Ending>(
  services: Services,
  family: TaskFamily<Row, Ending>,
  ids: readonly string[],
): Promise<Row[]> {
  const isOnHold = await services.store.currentHold() !== null;
  const owner = services.ids.next("lease");
  const isUsedUp = (row: Row) => family.isUsedUp?.(row) ?? false;
  const changes = await changeRows(services, family, ids, (row, nowMs, tx) => {
    if (isOnHold && !family.runsOnHold(row)) return null;
    if (!family.isFree(row, nowMs)) return null;
    return isUsedUp(row)
      ? family.after(row, { held: row, ending: null, nowMs }, tx)
      : family.held(row, { owner, untilMs: nowMs + family.leaseMs });
  });
  for (const change of changes.filter(({ before }) => isUsedUp(before))) {
    family.report(services, { held: change.before, ending: null, change });
  }
  return changes.filter(({ before }) => !isUsedUp(before))
    .map(({ after }) => after);
}

/** Records the result of the work, whoever has leased the rows by now. */
async function settle<Row, Ending>(
  services: Services,
  family: TaskFamily<Row, Ending>,
  rows: readonly Row[],
  ending: Ending,
): Promise<void> {
  const heldById = new Map(rows.map((row) => [family.idOf(row), row]));
  const ids = [...heldById.keys()];
  const changes = await changeRows(services, family, ids, (row, nowMs, tx) => {
    const held = heldById.get(family.idOf(row));
    invariant(held !== undefined, "only rows of this attempt are read");
    return family.after(row, { held, ending, nowMs }, tx);
  });
  const changed = new Map(
    changes.map((change) => [family.idOf(change.after), change]),
  );
  for (const [id, held] of heldById) {
    const change = changed.get(id) ?? null;
    family.report(services, { held, ending, change });
  }
}

/** Renews the leases again and again until it is stopped. */
function keepRenewing<Row>(
  services: Services,
  rows: LeasedRows<Row>,
  held: readonly Row[],
  { startTimer, renewed, failed }: Renewal<Row>,
): { stop(): Promise<void> } {
  const heldById = new Map(held.map((row) => [rows.idOf(row), row]));
  const everyMs = rows.leaseMs / 3;
  let stopped = false;
  let underWay: Promise<unknown> = Promise.resolve();
  let cancel = startTimer(renew, everyMs);
  function renew(): void {
    underWay = changeRows(services, rows, [...heldById.keys()], (row, now) => {
      const mine = heldById.get(rows.idOf(row));
      return mine === undefined ? null : renewed(row, mine, now + rows.leaseMs);
    }).catch(failed).then(() => {
      if (!stopped) cancel = startTimer(renew, everyMs);
    });
  }
  return {
    async stop() {
      stopped = true;
      cancel();
      await underWay;
    },
  };
}
