/**
 * What KV Connect's client asks, read and held to the limits of a self-hosted
 * denokv, which answers what is over one with these sentences.
 *
 * @module
 */
import { type Bytes, fieldsOf, Misuse, NOTHING } from "./wire.ts";

const LIMITS = {
  writeKeyBytes: 2_048,
  readKeyBytes: 2_049,
  valueBytes: 65_536,
  ranges: 10,
  entries: 1_000,
  checks: 10,
  mutations: 1_000,
  commitBytes: 819_200,
  watchedKeys: 10,
} as const;

/** How the bytes of a value are to be read. */
export const ENCODING = { v8: 1, le64: 2, bytes: 3 } as const;

/** What a mutation does. */
export const MUTATION = {
  set: 1,
  delete: 2,
  sum: 3,
  max: 4,
  min: 5,
  setSuffixed: 9,
} as const;

/** Rows to read: from `start`, which is one, to `end`, which is none. */
export interface Range {
  start: Bytes;
  end: Bytes;
  limit: number;
  reverse: boolean;
}

/** A row that must be as it was read; null: it must not be there. */
export interface Check {
  key: Bytes;
  version: bigint | null;
}

/** One change of a commit. */
export interface Mutation {
  kind: number;
  key: Bytes;
  data: Bytes;
  encoding: number;
  /** When the row may be removed, epoch ms; -1 is never. */
  expireAtMs: number;
  sumMin: Bytes;
  sumMax: Bytes;
  sumClamp: boolean;
}

/** What is checked and written in one step. */
export interface Commit {
  checks: Check[];
  mutations: Mutation[];
}

/**
 * Reads the body of `snapshot_read`.
 *
 * @throws {Misuse} when it is over a limit
 */
export function readReads(body: Bytes): Range[] {
  const ranges: Range[] = [];
  for (const { no, bytes } of fieldsOf(body)) {
    if (no === 1) ranges.push(readRange(bytes));
  }
  if (ranges.length > LIMITS.ranges) {
    throw new Misuse("Too many read ranges requested in one read request.");
  }
  const entries = ranges.reduce((sum, { limit }) => sum + limit, 0);
  if (entries > LIMITS.entries) {
    throw new Misuse(
      "The total number of entries requested across read ranges in the read " +
        "request is too large.",
    );
  }
  return ranges;
}

function readRange(message: Bytes): Range {
  const range = { start: NOTHING, end: NOTHING, limit: 0, reverse: false };
  for (const { no, varint, bytes } of fieldsOf(message)) {
    if (no === 1) range.start = bytes;
    if (no === 2) range.end = bytes;
    if (no === 3) range.limit = Number(varint);
    if (no === 4) range.reverse = varint !== 0n;
  }
  if (range.limit <= 0) {
    throw new Misuse(
      "The read range limit of the snapshot read request is invalid.",
    );
  }
  holdKey(range.start, LIMITS.readKeyBytes);
  holdKey(range.end, LIMITS.readKeyBytes);
  return range;
}

function holdKey(key: Bytes, max: number): void {
  if (key.length > max) throw new Misuse("A key exceeds the key size limit.");
}

/**
 * Reads the body of `atomic_write`.
 *
 * @throws {Misuse} when it is over a limit
 */
export function readCommit(body: Bytes): Commit {
  const checks: Check[] = [];
  const mutations: Mutation[] = [];
  for (const { no, bytes } of fieldsOf(body)) {
    if (no === 1) checks.push(readCheck(bytes));
    if (no === 2) mutations.push(readMutation(bytes));
    if (no === 3) throw new Misuse("This server has no queues.");
  }
  if (checks.length > LIMITS.checks) {
    throw new Misuse("Too many checks included in atomic write.");
  }
  if (mutations.length > LIMITS.mutations) {
    throw new Misuse("Too many mutations / enqueues included in atomic write.");
  }
  const sizes = [
    ...checks.map(({ key }) => key.length),
    ...mutations.map(({ key, data }) => key.length + data.length),
  ];
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes > LIMITS.commitBytes) {
    throw new Misuse("The total size of the atomic write is too large.");
  }
  return { checks, mutations };
}

function readCheck(message: Bytes): Check {
  const check: Check = { key: NOTHING, version: null };
  for (const { no, bytes } of fieldsOf(message)) {
    if (no === 1) check.key = bytes;
    if (no !== 2 || bytes.length === 0) continue;
    if (bytes.length !== 10) throw new Misuse("Invalid versionstamp.");
    check.version = new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(0);
  }
  holdKey(check.key, LIMITS.readKeyBytes);
  return check;
}

function readMutation(message: Bytes): Mutation {
  const mutation: Mutation = {
    kind: 0,
    key: NOTHING,
    data: NOTHING,
    encoding: 0,
    expireAtMs: -1,
    sumMin: NOTHING,
    sumMax: NOTHING,
    sumClamp: false,
  };
  for (const { no, varint, bytes } of fieldsOf(message)) {
    if (no === 1) mutation.key = bytes;
    if (no === 2) Object.assign(mutation, readValue(bytes));
    if (no === 3) mutation.kind = Number(varint);
    if (no === 4 && varint > 0n) mutation.expireAtMs = Number(varint);
    if (no === 5) mutation.sumMin = bytes;
    if (no === 6) mutation.sumMax = bytes;
    if (no === 7) mutation.sumClamp = varint !== 0n;
  }
  const kinds: readonly number[] = Object.values(MUTATION);
  if (!kinds.includes(mutation.kind)) {
    throw new Misuse("Invalid mutation kind or arguments.");
  }
  holdKey(mutation.key, LIMITS.writeKeyBytes);
  if (mutation.data.length > LIMITS.valueBytes) {
    throw new Misuse("A value exceeds the value size limit.");
  }
  return mutation;
}

function readValue(message: Bytes): { data: Bytes; encoding: number } {
  const value = { data: NOTHING, encoding: 0 };
  for (const { no, varint, bytes } of fieldsOf(message)) {
    if (no === 1) value.data = bytes;
    if (no === 2) value.encoding = Number(varint);
  }
  return value;
}

/**
 * Reads the body of `watch`: its keys.
 *
 * @throws {Misuse} when they are too many
 */
export function readWatched(body: Bytes): Bytes[] {
  const watched: Bytes[] = [];
  for (const { no, bytes } of fieldsOf(body)) {
    if (no !== 1) continue;
    for (const field of fieldsOf(bytes)) {
      if (field.no === 1) watched.push(field.bytes);
    }
  }
  if (watched.length > LIMITS.watchedKeys) {
    throw new Misuse("Too many keys watched in a single watch request.");
  }
  return watched;
}
