import type { Ref } from "../domain/ports.ts";

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
export function inside<T>(ref: Ref<T>): KvRef<T> {
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
  if (!tracked) return toNumber(entry.value) as T;
  const value = entry.value as T & { expiresAtMs?: unknown } | null;
  if (value === null) return null;
  const { expiresAtMs } = value;
  const expired = typeof expiresAtMs === "number" && expiresAtMs <= nowMs;
  return expired ? null : value;
}

function toNumber(value: unknown): number {
  return value instanceof Deno.KvU64 ? Number(value.value) : 0;
}
