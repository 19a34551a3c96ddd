/**
 * Metadata, the caller's own key–value pairs on an object.
 *
 * @module
 */

import { invalidRequest } from "./errors.ts";
import type { Rule } from "./params.ts";

/** How many keys there may be (Stripe API, metadata). */
export const MAX_KEYS = 50;

/** Longest name of a key, characters. */
export const MAX_KEY_LENGTH = 40;

/** Longest value, characters. */
export const MAX_VALUE_LENGTH = 500;

/** Pairs as stored. */
export type Metadata = Record<string, string>;

/** Reads a change of metadata: an empty value unsets, `null` unsets all. */
export function metadata(): Rule<Metadata | null> {
  return {
    read(value, name) {
      if (value === "") return null;
      if (typeof value === "string") {
        throw invalidRequest("Invalid object", { param: name });
      }
      const change: Metadata = {};
      for (const [key, given] of Object.entries(value)) {
        const fits = typeof given === "string" && key !== "" &&
          key.length <= MAX_KEY_LENGTH && given.length <= MAX_VALUE_LENGTH;
        if (!fits) {
          throw invalidRequest(
            `Metadata keys have at most ${MAX_KEY_LENGTH} characters, ` +
              `values are text of at most ${MAX_VALUE_LENGTH}`,
            { param: `${name}[${key.slice(0, MAX_KEY_LENGTH)}]` },
          );
        }
        change[key] = given;
      }
      return change;
    },
  };
}

/**
 * Applies a change to metadata.
 *
 * @throws {ApiError} 400 when more than 50 keys would result
 */
export function mergeMetadata(
  old: Metadata,
  change: Metadata | null | undefined,
): Metadata {
  if (change === undefined) return old;
  if (change === null) return {};
  const merged = { ...old };
  for (const [key, value] of Object.entries(change)) {
    if (value === "") delete merged[key];
    else merged[key] = value;
  }
  if (Object.keys(merged).length <= MAX_KEYS) return merged;
  throw invalidRequest(`Metadata can have at most ${MAX_KEYS} keys`, {
    param: "metadata",
  });
}
