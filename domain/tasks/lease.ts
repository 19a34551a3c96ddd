/**
 * Rows that one worker at a time works on: it takes a lease of the row in a
 * commit that checks the row, and nobody else takes one before that has ended.
 *
 * @module
 */
import type { Services, Transaction } from "../ports.ts";
import { groupsOf } from "../groups.ts";
import { type Ref, type Table, TRACKED_READS_MAX } from "../tables.ts";

/** Rows of one kind, and how a lease is written on them. */
export interface LeasedRows<Row> {
  table(tables: Transaction): Table<Row, [id: string]>;
  idOf(row: Row): string;
  /** Longer than an attempt takes, ms. */
  leaseMs: number;
  /** The row with one more attempt begun, and nobody else's before the lease ends. */
  held(row: Row, lease: Lease): Row;
}

/** A worker's hold on a row. */
export interface Lease {
  /** Names the attempt. */
  owner: string;
  untilMs: number;
}

/** A row that was changed. */
export interface Change<Row> {
  before: Row;
  after: Row;
}

/** Changes rows in as few commits as the store takes; null leaves one alone. */
export async function changeRows<Row>(
  { store, clock }: Pick<Services, "store" | "clock">,
  { table }: Pick<LeasedRows<Row>, "table">,
  ids: readonly string[],
  change: (
    row: Row,
    nowMs: number,
    tx: Transaction,
  ) => Row | null | Promise<Row | null>,
): Promise<Change<Row>[]> {
  const changed: Change<Row>[] = [];
  for (const some of groupsOf(ids, TRACKED_READS_MAX)) {
    const rows = await store.transact(async (tx) => {
      const refs: Ref<Row>[] = some.map((id) => table(tx).ref(id));
      const found = await tx.getMany(refs) as (Row | null)[];
      const now = clock.now();
      const changes: Change<Row>[] = [];
      for (const before of found) {
        const after = before === null ? null : await change(before, now, tx);
        if (before !== null && after !== null) changes.push({ before, after });
      }
      changes.forEach(({ after }) => table(tx).save(after));
      return changes;
    });
    changed.push(...rows);
  }
  return changed;
}
