import type { Table, Tables, Transaction } from "../domain/ports.ts";
import { recordRef } from "./refs.ts";
import { type IndexRow, type TableDefinition, tables } from "./tables.ts";
import type { KvTransaction } from "./transaction.ts";

/** Gives an attempt its tables, which is what the domain sees. */
export function withTables(attempt: KvTransaction): Transaction {
  const all: Record<string, unknown> = {};
  for (const [family, definition] of Object.entries(tables)) {
    // Each family's own types are restored by the cast to Tables below.
    all[family] = tableOf(attempt, definition as TableDefinition<object, []>);
  }
  return Object.assign(attempt, all as unknown as Tables);
}

function tableOf<T, Id extends readonly unknown[]>(
  attempt: KvTransaction,
  definition: TableDefinition<T, Id>,
): Table<T, Id> {
  const keyOf = (value: T) => definition.key(...definition.idOf(value));
  const indexesOf = (value: T): readonly IndexRow[] =>
    definition.indexes?.(value) ?? [];
  /** An account that changes its address leaves no row under the old one. */
  const removeKnownIndexes = (value: T) => {
    const before = attempt.known(keyOf(value)) as T | null;
    if (before === null) return;
    for (const { key } of indexesOf(before)) attempt.delete(key);
  };
  return {
    ref: (...id) => recordRef<T>(definition.key(...id)),
    find: (...id) => attempt.get(recordRef<T>(definition.key(...id))),
    save(value) {
      removeKnownIndexes(value);
      attempt.set(keyOf(value), value);
      for (const { key, value: row } of indexesOf(value)) {
        if (row === null) attempt.delete(key);
        else attempt.set(key, row);
      }
    },
    remove(value) {
      removeKnownIndexes(value);
      attempt.delete(keyOf(value));
      for (const { key } of indexesOf(value)) attempt.delete(key);
    },
  };
}
