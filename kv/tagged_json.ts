/**
 * Values and keys of the store as JSON. What JSON has is written as it is;
 * anything else as an object with a `$` that names its kind. What neither can
 * hold is refused, never changed.
 *
 * @module
 */
import { Buffer } from "node:buffer";

/** What JSON itself can hold. */
export type Json =
  | null
  | boolean
  | number
  | string
  | Json[]
  | { [name: string]: Json };

/** A value that has no place in a backup, or a line that is none of ours. */
export class NotTaggedJson extends Error {
  override readonly name = "NotTaggedJson";
}

/** @throws {NotTaggedJson} for a kind of value the service does not store */
export function toTagged(value: unknown): Json {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : tagged("number", Object.is(value, -0) ? "-0" : String(value));
    case "bigint":
      return tagged("bigint", String(value));
    case "undefined":
      return tagged("undefined");
    case "object":
      return value === null ? null : objectToTagged(value);
    default:
      throw new NotTaggedJson(`Cannot write a ${typeof value} as JSON`);
  }
}

/** @throws {NotTaggedJson} for JSON that {@linkcode toTagged} did not write */
export function fromTagged(json: Json): unknown {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return arrayFromTagged(json);
  if (Object.hasOwn(json, "$")) return kindFromTagged(json);
  // Not by assignment: a member may be called __proto__.
  return Object.fromEntries(
    Object.entries(json).map(([name, member]) => [name, fromTagged(member)]),
  );
}

/** Reads a key. @throws {NotTaggedJson} */
export function keyFromTagged(json: Json | undefined): Deno.KvKey {
  const parts = Array.isArray(json) ? json.map(fromTagged) : [];
  if (parts.length === 0 || !parts.every(isKeyPart)) {
    throw new NotTaggedJson("Cannot read a key");
  }
  return parts;
}

function isKeyPart(part: unknown): part is Deno.KvKeyPart {
  return part instanceof Uint8Array ||
    ["string", "number", "bigint", "boolean"].includes(typeof part);
}

function tagged(kind: string, v?: Json): Json {
  return v === undefined ? { $: kind } : { $: kind, v };
}

function objectToTagged(value: object): Json {
  if (Array.isArray(value)) return arrayToTagged(value);
  if (value instanceof Deno.KvU64) return tagged("u64", String(value.value));
  if (value instanceof Uint8Array) {
    return tagged("bytes", Buffer.from(value).toString("base64"));
  }
  if (value instanceof Date) {
    const ms = value.getTime();
    return tagged("date", Number.isNaN(ms) ? null : ms);
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new NotTaggedJson(
      `Cannot write a ${value.constructor.name} as JSON`,
    );
  }
  const members = Object.entries(value)
    .map(([name, member]): [string, Json] => [name, toTagged(member)]);
  return Object.hasOwn(value, "$")
    ? tagged("object", members)
    : Object.fromEntries(members);
}

function arrayToTagged(array: readonly unknown[]): Json {
  const present = Object.keys(array);
  if (present.some((name) => !/^\d+$/.test(name))) {
    throw new NotTaggedJson("Cannot write an array with members as JSON");
  }
  if (present.length === array.length) return array.map(toTagged);
  return Array.from(
    array,
    (item, at) => at in array ? toTagged(item) : tagged("hole"),
  );
}

/**
 * V8 stores an array a third larger when it was made at its length, or in code
 * that has made one with holes before. What once fitted into a row has to fit
 * again, so the array is made by `Array.from`, which learns nothing.
 */
function arrayFromTagged(json: readonly Json[]): unknown[] {
  const array: unknown[] = Array.from(
    json,
    (item) => isHole(item) ? undefined : fromTagged(item),
  );
  json.forEach((item, at) => {
    if (isHole(item)) delete array[at];
  });
  return array;
}

function isHole(json: Json): boolean {
  return typeof json === "object" && json !== null && !Array.isArray(json) &&
    json.$ === "hole";
}

function kindFromTagged(json: { [name: string]: Json }): unknown {
  const { $: kind, v } = json;
  if (kind === "undefined") return undefined;
  if (kind === "date" && v === null) return new Date(NaN);
  if (kind === "date" && typeof v === "number") return new Date(v);
  if (kind === "object" && Array.isArray(v)) {
    return Object.fromEntries(
      v.map(memberFromTagged),
    );
  }
  if (typeof v !== "string") throw new NotTaggedJson("Cannot read a value");
  switch (kind) {
    case "number":
      return Number(v);
    case "bigint":
      return BigInt(v);
    case "u64":
      return new Deno.KvU64(BigInt(v));
    case "bytes":
      // A copy: a Buffer is a view of a pool, and is stored with all of it.
      return new Uint8Array(Buffer.from(v, "base64"));
    default:
      throw new NotTaggedJson(`Cannot read a value of kind "${kind}"`);
  }
}

function memberFromTagged(member: Json): [string, unknown] {
  if (!Array.isArray(member) || typeof member[0] !== "string") {
    throw new NotTaggedJson("Cannot read a member of an object");
  }
  return [member[0], fromTagged(member[1] ?? null)];
}
