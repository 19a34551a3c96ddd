/**
 * Arguments of tools: known ones are read strictly, others are refused.
 *
 * @module
 */
import { z } from "zod";
import { day } from "../site/query.ts";
import { refuseInput } from "../site/query.ts";
import type { Day } from "../../domain/day.ts";

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

/**
 * Reads arguments by their schema; `action` begins the sentence of a refusal,
 * which names the argument and never repeats its value.
 *
 * @throws {Refused} `invalid_input`
 */
export function parseArguments<Output>(
  schema: z.ZodType<Output>,
  given: unknown,
  action: string,
): Output {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  refuseInput(`${action}: ${messageOf(issue, schema, given)}`);
}

function messageOf(
  issue: z.core.$ZodIssue | undefined,
  schema: z.ZodType,
  given: unknown,
): string {
  if (issue?.code === "unrecognized_keys") return onlyThese(schema);
  const [name] = issue?.path ?? [];
  if (name === undefined) return "the arguments must be a JSON object";
  return isGiven(given, name)
    ? `${String(name)} ${issue?.message}`
    : `${String(name)} must be given`;
}

function onlyThese(schema: z.ZodType): string {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return names.length === 0
    ? "it takes no arguments"
    : `it takes no arguments besides ${names.join(", ")}`;
}

function isGiven(given: unknown, name: PropertyKey): boolean {
  return typeof given === "object" && given !== null &&
    Object.hasOwn(given, name) && Reflect.get(given, name) !== undefined;
}
