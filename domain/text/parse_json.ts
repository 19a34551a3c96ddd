import type { Json } from "../idempotency/canonical_json.ts";

/** How deep a text may be nested: what is read of it is walked. */
export const JSON_DEPTH_MAX = 32;

/** Why a text is not taken as JSON. */
export type JsonFault =
  | "not_json"
  /** An object has two members of one name: which of them counts is a guess. */
  | "repeated_member"
  | "too_deep";

/** A value, or why there is none. */
export type JsonReading =
  | { ok: true; value: Json }
  | { ok: false; fault: JsonFault };

/**
 * Reads JSON in which no member of an object is named twice (RFC 8259 §4),
 * however the names are escaped. `JSON.parse` keeps the last of two, so there
 * are fewer members in its value than colons outside the strings of the text.
 * Decision 0187 says why.
 */
export function parseJson(text: string): JsonReading {
  const members = membersIn(text);
  if (members === "too_deep") return { ok: false, fault: "too_deep" };
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, fault: "not_json" };
  }
  return countOf(value) === members
    ? { ok: true, value }
    : { ok: false, fault: "repeated_member" };
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** How many members a text writes down, provided that it is JSON. */
function membersIn(text: string): number | "too_deep" {
  let members = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) members++;
    // Each bracket differs from its brace in one bit.
    else if ((code | 0x20) === 0x7b) {
      if (++depth > JSON_DEPTH_MAX) return "too_deep";
    } else if ((code | 0x20) === 0x7d) depth--;
  }
  return members;
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

/** How many members a value has, those of its parts included. */
function countOf(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const each of value) members += countOf(each);
    return members;
  }
  for (const each of Object.values(value)) members += 1 + countOf(each);
  return members;
}
