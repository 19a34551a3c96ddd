/**
 * Arguments that tools of several servers take, announced with their bounds.
 *
 * @module
 */
import { z } from "zod";
import type { Day } from "../../domain/day.ts";
import {
  IDEMPOTENCY_KEY_MAX,
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
} from "../../domain/limits.ts";
import { day } from "../http/query.ts";

/** A calendar date that exists, announced as one. */
export const dayArgument: z.ZodType<Day, string> = day.meta({
  format: "date",
  description: "A UTC day written YYYY-MM-DD",
});

/** A whole number. */
export function integerArgument(min: number, max: number): z.ZodNumber {
  const message = `must be an integer from ${min} to ${max}`;
  return z.int(message).min(min, message).max(max, message);
}

/** The `limit` of a list (contract §3.5, §7.1). */
export const limitArgument: z.ZodDefault<z.ZodNumber> = integerArgument(
  1,
  LIST_LIMIT_MAX,
).default(LIST_LIMIT_DEFAULT).describe("How many items at most");

const KEY_WANTED = `must have 1 to ${IDEMPOTENCY_KEY_MAX} characters`;

/** An idempotency key; the verb reads its characters (contract §11.1). */
export const keyArgument: z.ZodString = z.string("must be a string")
  .min(1, KEY_WANTED).max(IDEMPOTENCY_KEY_MAX, KEY_WANTED).describe(
    "1 to 255 visible ASCII characters of your own that name this request. " +
      "Repeat an uncertain call with the same key and arguments: it takes " +
      "effect once and is answered the same",
  );
