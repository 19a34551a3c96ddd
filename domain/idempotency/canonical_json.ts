import { sha256Hex } from "../sha256.ts";

/** What JSON can say. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json };

/**
 * One text for every way of writing the same JSON value: members sorted by
 * name, no white space.
 */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.entries(value).sort(byName).map(([name, member]) =>
    `${JSON.stringify(name)}:${canonicalJson(member)}`
  );
  return `{${members.join(",")}}`;
}

/** SHA-256 of a request's canonical JSON, hex. */
export function requestHash(request: Json): string {
  return sha256Hex(canonicalJson(request));
}

// Array.isArray alone does not narrow a readonly list away.
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function byName([a]: [string, Json], [b]: [string, Json]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
