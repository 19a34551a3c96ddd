/**
 * What `sum`, `min` and `max` make of a row, as denokv has it.
 *
 * @module
 */
import { deserialize, serialize } from "node:v8";
import { ENCODING, MUTATION, type Mutation } from "./requests.ts";
import { type Bytes, Misuse } from "./wire.ts";

/** A value as it is stored. */
export interface StoredValue {
  data: Bytes;
  encoding: number;
}

/**
 * The value after a mutation that reckons with the one before.
 *
 * @throws {Misuse} when they can't be reckoned with each other
 */
export function reckoned(
  mutation: Mutation,
  before: StoredValue | null,
): StoredValue {
  const { kind, encoding } = mutation;
  if (kind === MUTATION.sum && encoding === ENCODING.v8) {
    return summedV8(mutation, before);
  }
  switch (kind) {
    case MUTATION.sum:
      return ofU64(mutation, before, "sum", (a, b) => a + b);
    case MUTATION.min:
      return ofU64(mutation, before, "min", (a, b) => a < b ? a : b);
    default:
      return ofU64(mutation, before, "max", (a, b) => a > b ? a : b);
  }
}

function ofU64(
  { data, encoding }: Mutation,
  before: StoredValue | null,
  name: string,
  reckon: (a: bigint, b: bigint) => bigint,
): StoredValue {
  const wrong = encoding !== ENCODING.le64
    ? "operand"
    : before !== null && before.encoding !== ENCODING.le64
    ? "value in the database"
    : null;
  if (wrong !== null) {
    throw new Misuse(
      `Failed to perform '${name}' mutation on a non-U64 ${wrong}`,
    );
  }
  const operand = u64Of(data);
  return u64Value(
    before === null ? operand : reckon(u64Of(before.data), operand),
  );
}

function u64Of(bytes: Bytes): bigint {
  if (bytes.length !== 8) {
    throw new Misuse("Invalid mutation kind or arguments.");
  }
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
}

/** It wraps at 2^64. */
function u64Value(value: bigint): StoredValue {
  const data = new Uint8Array(8);
  new DataView(data.buffer).setBigUint64(0, BigInt.asUintN(64, value), true);
  return { data, encoding: ENCODING.le64 };
}

/** Numbers and bigints as JavaScript has them, within bounds. */
function summedV8(
  mutation: Mutation,
  before: StoredValue | null,
): StoredValue {
  // The bounds do not hold for the first value.
  if (before === null) return { data: mutation.data, encoding: ENCODING.v8 };
  const operand: unknown = deserialize(mutation.data);
  if (before.encoding === ENCODING.le64 && typeof operand === "bigint") {
    return u64Value(u64Of(before.data) + operand);
  }
  const sum = added(deserialize(before.data), operand);
  const data = Uint8Array.from(serialize(within(mutation, sum)));
  return { data, encoding: ENCODING.v8 };
}

function added(a: unknown, b: unknown): number | bigint {
  if (typeof a === "bigint" && typeof b === "bigint") return a + b;
  if (typeof a === "number" && typeof b === "number") return a + b;
  throw new Misuse(`Cannot sum ${typeof a} with ${typeof b}`);
}

function within(
  { sumMin, sumMax, sumClamp }: Mutation,
  sum: number | bigint,
): number | bigint {
  const min = boundOf(sumMin);
  const max = boundOf(sumMax);
  const bound = min !== null && sum < min
    ? min
    : max !== null && sum > max
    ? max
    : sum;
  if (bound === sum || sumClamp) return bound;
  throw new Misuse(
    "The result of a Sum operation would exceed its range limit",
  );
}

function boundOf(bytes: Bytes): number | bigint | null {
  return bytes.length === 0 ? null : deserialize(bytes);
}
