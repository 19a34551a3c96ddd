import type { Ref } from "../domain/tables.ts";
import {
  completedInvoice,
  type InvoiceAsWritten,
} from "../domain/invoices/completed_invoice.ts";
import {
  completedEntry,
  type EntryAsWritten,
} from "../domain/ledger/completed_entry.ts";
import {
  completedGrant,
  type GrantAsWritten,
} from "../domain/oauth/completed_grant.ts";
import { keys } from "./keys.ts";

/** What a {@linkcode Ref} is inside `kv/`. */
export interface KvRef<T> extends Ref<T> {
  readonly key: Deno.KvKey;
  /** Counters are read without becoming a check. */
  readonly tracked: boolean;
}

/** Names a record whose read becomes a check. */
export function recordRef<T>(key: Deno.KvKey): KvRef<T> {
  return { key, tracked: true };
}

/** Names a counter. */
export function counterRef(key: Deno.KvKey): KvRef<number> {
  return { key, tracked: false };
}

/** Sees the key behind a ref that this store made. */
export function keyOfRef<T>(ref: Ref<T>): KvRef<T> {
  return ref as KvRef<T>;
}

/**
 * The value of an entry as the domain sees it: a number for a counter, `null`
 * for none and for a record whose own `expiresAtMs` has passed, since the store
 * deletes expired keys a minute late and more.
 */
export function valueOf<T>(
  entry: Deno.KvEntryMaybe<unknown>,
  tracked: boolean,
  nowMs: number,
): T | null {
  if (!tracked) return counterOf(entry.value) as T;
  const { key, value } = entry;
  if (isExpired(value, nowMs)) return null;
  return upgradedRow(key, value ?? null) as T | null;
}

/** Whether a value says of itself that its time has passed. */
export function isExpired(value: unknown, nowMs: number): boolean {
  const expiresAtMs = expiresAtMsOf(value);
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}

/** How long the store has to keep a value: until its own `expiresAtMs`. */
export function expiryOf(value: unknown, nowMs: number): { expireIn?: number } {
  const expiresAtMs = expiresAtMsOf(value);
  if (expiresAtMs === null) return {};
  return { expireIn: Math.max(1, Math.ceil(expiresAtMs - nowMs)) };
}

function expiresAtMsOf(value: unknown): number | null {
  if (typeof value !== "object" || value === null) return null;
  const { expiresAtMs } = value as { expiresAtMs?: unknown };
  return typeof expiresAtMs === "number" ? expiresAtMs : null;
}

/** The number of a counter; 0 where there is none. */
export function counterOf(value: unknown): number {
  return value instanceof Deno.KvU64 ? Number(value.value) : 0;
}

const [GRANTS] = keys.grant("");
const [INVOICES] = keys.invoice("");
const [LEDGER] = keys.ledgerEntry("");

/**
 * A row as this version knows its family: rows that an earlier one wrote, which
 * a backup may bring back, lack what was added since.
 */
function upgradedRow(key: Deno.KvKey, value: unknown): unknown {
  if (value === null) return null;
  switch (key[0]) {
    case GRANTS:
      return completedGrant(value as GrantAsWritten);
    case INVOICES:
      return completedInvoice(value as InvoiceAsWritten);
    case LEDGER:
      return completedEntry(value as EntryAsWritten);
    default:
      return value;
  }
}
