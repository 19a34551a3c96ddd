import type { Families, Tables, Transaction } from "../domain/ports.ts";
import type { Table } from "../domain/tables.ts";
import type { ReadMany } from "./read_many.ts";
import { recordRef } from "./refs.ts";
import { type IndexRow, type TableDefinition, tables } from "./tables.ts";
import { KvTransaction } from "./transaction.ts";

/** An attempt as the domain sees it, and as the store commits it. */
export type TransactionAttempt = KvTransaction & Transaction;

/**
 * An attempt with its tables. A transaction touches a handful of them, so each
 * is made when it is first asked for.
 */
class AttemptWithTables extends KvTransaction {}

for (const family of Object.keys(tables) as (keyof Families)[]) {
  // Each family's own types are restored by the cast in newAttempt().
  const definition = tables[family] as unknown as TableDefinition<object, []>;
  Object.defineProperty(AttemptWithTables.prototype, family, {
    get(this: AttemptWithTables) {
      const value = tableOf(this, definition);
      Object.defineProperty(this, family, { value });
      return value;
    },
  });
}

/** Begins one attempt of a transaction. */
export function newAttempt(
  readMany: ReadMany,
  nowMs: () => number,
): TransactionAttempt {
  const attempt = new AttemptWithTables(readMany, nowMs);
  return attempt as AttemptWithTables & Tables;
}

function tableOf<T, Id extends readonly unknown[]>(
  attempt: KvTransaction,
  definition: TableDefinition<T, Id>,
): Table<T, Id> {
  const keyOf = (value: T) => definition.key(...definition.idOf(value));
  const indexesOf = (value: T | null): readonly IndexRow[] =>
    value === null ? [] : definition.indexes?.(value) ?? [];
  const knownIndexes = (key: Deno.KvKey) =>
    indexesOf(attempt.known(key) as T | null);
  return {
    ref: (...id) => recordRef<T>(definition.key(...id)),
    find: (...id) => attempt.get(recordRef<T>(definition.key(...id))),
    save(value) {
      const key = keyOf(value);
      if (definition.indexes === undefined) return attempt.set(key, value);
      const before = knownIndexes(key);
      const after = indexesOf(value);
      attempt.set(key, value);
      // An account that changes its address leaves no row under the old one,
      // and a raised bid does not write again where it lies.
      for (const row of before) {
        if (!after.some((each) => sameKey(each, row))) attempt.delete(row.key);
      }
      for (const row of after) {
        if (before.some((each) => sameRow(each, row))) continue;
        if (row.value === null) attempt.delete(row.key);
        else attempt.set(row.key, row.value);
      }
    },
    remove(value) {
      const own = keyOf(value);
      for (const { key } of knownIndexes(own)) attempt.delete(key);
      attempt.delete(own);
      for (const { key } of indexesOf(value)) attempt.delete(key);
    },
  };
}

function sameKey({ key: a }: IndexRow, { key: b }: IndexRow): boolean {
  return a.length === b.length && a.every((part, at) => part === b[at]);
}

function sameRow(a: IndexRow, b: IndexRow): boolean {
  return sameKey(a, b) && sameMembers(a.value, b.value);
}

/** What index rows hold has ids and times for members, or is null. */
function sameMembers(a: IndexRow["value"], b: IndexRow["value"]): boolean {
  if (a === null || b === null) return a === b;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length &&
    names.every((name) => a[name] === b[name]);
}
