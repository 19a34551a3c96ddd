/**
 * Reads `application/x-www-form-urlencoded` text with bracketed names, as the
 * Stripe API takes it in bodies and queries alike.
 *
 * @module
 */

import { invalidRequest } from "./errors.ts";

/** Most name–value pairs in one request. */
export const MAX_PAIRS = 1_000;

/** Most bracket levels in one name: `a[b][c]` has three. */
export const MAX_DEPTH = 6;

/** Longest parameter name, brackets included. */
export const MAX_NAME_LENGTH = 300;

/** A parameter's value: text, or what stands in brackets behind its name. */
export type FormValue = string | FormMap;

/** Values by name; a list has the names `"0"`, `"1"` … in order. */
export interface FormMap {
  /** A parameter, or a member of one. */
  [name: string]: FormValue;
}

/**
 * Parses a form into nested maps.
 *
 * @param text the body or the query without `?`
 * @returns a map without prototype; of a repeated name the last value stands
 * @throws {ApiError} 400 on broken escapes, broken brackets or a broken bound
 */
export function parseForm(text: string): FormMap {
  const root = emptyMap();
  if (text === "") return root;
  const pairs = text.split("&", MAX_PAIRS + 1);
  if (pairs.length > MAX_PAIRS) {
    throw invalidRequest(`Too many parameters: at most ${MAX_PAIRS} are read`);
  }
  for (const pair of pairs) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = decode(at === -1 ? pair : pair.slice(0, at));
    assign(root, name, at === -1 ? "" : decode(pair.slice(at + 1)));
  }
  return root;
}

function assign(root: FormMap, name: string, value: string): void {
  const path = readPath(name);
  let map = root;
  for (const [depth, part] of path.entries()) {
    const key = part === "" ? nextIndex(map) : part;
    if (depth === path.length - 1) {
      if (typeof map[key] === "object") throw invalidName(name);
      map[key] = value;
      return;
    }
    const inner = map[key] ??= emptyMap();
    if (typeof inner === "string") throw invalidName(name);
    map = inner;
  }
}

function readPath(name: string): string[] {
  if (name.length > MAX_NAME_LENGTH) throw invalidName(name.slice(0, 40));
  const open = name.indexOf("[");
  if (open === -1) return [name];
  if (open === 0 || !name.endsWith("]")) throw invalidName(name);
  const path = [
    name.slice(0, open),
    ...name.slice(open + 1, -1).split("]["),
  ];
  const broken = path.some((part) => part.includes("[") || part.includes("]"));
  if (broken || path.length > MAX_DEPTH) throw invalidName(name);
  return path;
}

function nextIndex(map: FormMap): string {
  return String(Object.keys(map).length);
}

function decode(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw invalidRequest("Invalid encoding in the request parameters");
  }
}

function emptyMap(): FormMap {
  return Object.create(null);
}

function invalidName(name: string): Error {
  return invalidRequest(`Invalid parameter name: ${name}`);
}
