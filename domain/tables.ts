/**
 * How families of records are read and written, whatever they hold. Records
 * know this and not `ports.ts`, which knows all records.
 *
 * @module
 */
/**
 * Records that a transaction may read, each of which its commit checks: a
 * self-hosted denokv takes ten checks, and over a network one is the commit's
 * own (decision 0080).
 */
export const TRACKED_READS_MAX = 9;

declare const valueType: unique symbol;

/** Names one record. Only `kv/` knows the key behind it. */
export interface Ref<T> {
  readonly [valueType]?: T;
}

/** The values of refs, in their order; `null` where there is none. */
export type Values<R extends readonly Ref<unknown>[]> = {
  [K in keyof R]: (R[K] extends Ref<infer T> ? T : never) | null;
};

/** A family of records that can be read. */
export interface ReadTable<T, Id extends readonly unknown[]> {
  ref(...id: Id): Ref<T>;
  /** The record; `null` also when its `expiresAtMs` has passed. */
  find(...id: Id): Promise<T | null>;
}

/** A family of records that can be written, inside a transaction. */
export interface WriteTable<T> {
  /** Buffers a write of the record and its indexes until the commit. */
  save(value: T): void;
}

/** A family of records inside a transaction. */
export interface Table<T, Id extends readonly unknown[]>
  extends ReadTable<T, Id>, WriteTable<T> {
  /** Buffers the removal of the record and its indexes. */
  remove(value: T): void;
}

/** A number many requests change; it is summed without a check. */
export interface Counter<Id extends readonly unknown[]> {
  /** A ref that `getMany` reads untracked. */
  ref(...id: Id): Ref<number>;
  /**
   * Buffers an addition; a negative one takes away what was added before. Throws
   * on a counter that is also tracked.
   */
  add(count: number, ...id: Id): void;
  /** Buffers its removal. */
  remove(...id: Id): void;
}
