import type { Json } from "../idempotency/canonical_json.ts";

/** How deep a text may be nested: what is read of it is walked. */
export const JSON_DEPTH_MAX = 32;
/**
 * Most members of objects and elements of lists in a text, together: what reads
 * it on looks at each, and may have a sentence to say about each.
 */
export const JSON_PARTS_MAX = 320;

/** Why a text is not taken as JSON. */
export type JsonFault =
  | "not_json"
  /** An object has two members of one name: which of them counts is a guess. */
  | "repeated_member"
  | "too_many_parts"
  | "too_deep";

/**
 * Reads JSON in which no member of an object is named twice (RFC 8259 §4),
 * however the names are escaped. `JSON.parse` keeps the last of two, so there
 * are fewer members in its value than colons outside the strings of the text.
 * Decision 0187 says why.
 *
 * @param partsMax members of objects and elements of lists, together, at most
 */
export function parseJson(
  text: string,
  partsMax = JSON_PARTS_MAX,
): { ok: true; value: Json } | { ok: false; fault: JsonFault } {
  const names = namesIn(text, partsMax);
  if (typeof names === "string") return { ok: false, fault: names };
  let value: Json;
  try {
    value = valueOf(text, names);
  } catch {
    return { ok: false, fault: "not_json" };
  }
  const found = { members: 0, elements: 0, max: partsMax };
  count(value, found);
  if (isTooMany(found)) return { ok: false, fault: "too_many_parts" };
  return found.members === names.length
    ? { ok: true, value }
    : { ok: false, fault: "repeated_member" };
}

/** Where a string stands in a text: at its quotes. */
interface Quotes {
  start: number;
  end: number;
}

/**
 * What `JSON.parse` should say. In V8 15 a name with an escape may be taken for
 * one that was seen at the same place in any text before: the name it expects is
 * compared with the escapes as they are written, `\\n` with a backslash. So
 * where a name has one, members are read by their numbers and named after.
 */
function valueOf(text: string, names: readonly Quotes[]): Json {
  const value: Json = JSON.parse(text);
  if (!text.includes("\\")) return value;
  const quoted = names.map(({ start, end }) => text.slice(start, end + 1));
  if (!quoted.some((name) => name.includes("\\"))) return value;
  let numbered = "";
  let from = 0;
  for (const [nth, { start, end }] of names.entries()) {
    numbered += `${text.slice(from, start)}"${nth}"`;
    from = end + 1;
  }
  return named(
    JSON.parse(numbered + text.slice(from)),
    JSON.parse(`[${quoted.join()}]`),
  );
}

/** A value whose members are numbered, with the name of each. */
function named(value: Json, names: readonly string[]): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => named(each, names));
  return Object.fromEntries(
    Object.entries(value).map((
      [nth, each],
    ) => [names[Number(nth)], named(each, names)]),
  );
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Where the names of members stand in a text, provided that it is JSON. */
function namesIn(
  text: string,
  partsMax: number,
): Quotes[] | "too_deep" | "too_many_parts" {
  const names: Quotes[] = [];
  let depth = 0;
  let start = 0;
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      start = at;
      end = endOfString(text, start);
      at = end;
    } else if (code === COLON) {
      // Known before anything is made of them.
      if (names.push({ start, end }) > partsMax) return "too_many_parts";
      // Each bracket differs from its brace in one bit.
    } else if ((code | 0x20) === 0x7b) {
      if (++depth > JSON_DEPTH_MAX) return "too_deep";
    } else if ((code | 0x20) === 0x7d) depth--;
  }
  return names;
}

/** The place of the quote that ends a string; the end of the text without. */
function endOfString(text: string, start: number): number {
  let end = start;
  do {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
  } while (isEscaped(text, end));
  return end;
}

/** Whether an odd number of backslashes stands before a quote. */
function isEscaped(text: string, quote: number): boolean {
  let at = quote;
  while (text.charCodeAt(at - 1) === BACKSLASH) at--;
  return (quote - at) % 2 === 1;
}

/** What a value is made of, those of its parts included, and may be at most. */
interface Parts {
  members: number;
  elements: number;
  readonly max: number;
}

function isTooMany({ members, elements, max }: Parts): boolean {
  return members + elements > max;
}

/** Counts the parts of a value; no more are looked at than a few too many. */
function count(value: Json, found: Parts): void {
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  const parts = isList ? value : Object.values(value);
  found[isList ? "elements" : "members"] += parts.length;
  for (const each of parts) {
    if (isTooMany(found)) return;
    count(each, found);
  }
}
