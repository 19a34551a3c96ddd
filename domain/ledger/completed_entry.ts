import type { LedgerEntry } from "./entry.ts";

/** An entry as any version has written it. */
export type EntryAsWritten =
  & Omit<LedgerEntry, "kind" | "paymentId">
  & Partial<LedgerEntry>;

/** An entry of before payments were named in the books, when all were sales. */
export function completedEntry(row: EntryAsWritten): LedgerEntry {
  if (row.kind !== undefined) return row as LedgerEntry;
  return { kind: "sale", paymentId: null, ...row };
}
