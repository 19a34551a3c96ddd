/**
 * Query parameters: known ones are read strictly, unknown ones are ignored.
 *
 * @module
 */
import { z } from "zod";
import { type Day, DAY_LENGTH, parseDay } from "../../domain/day.ts";
import { refuse } from "../../domain/refusal.ts";
import type { RouteContext } from "../context.ts";
import { everyIssue } from "./every_issue.ts";

/** What a day has to be, as the end of a sentence. */
export const DAY_WANTED = "a calendar date written YYYY-MM-DD";

/**
 * Most parameters of a query, and of what is read like one; nothing of ours reads
 * a quarter of them.
 */
export const PARAMETERS_MAX = 64;

/** How what is wanted begins where nothing was given. */
const GIVEN_WANTED = "must be given";
const DAY_GIVEN = `${GIVEN_WANTED}, as ${DAY_WANTED}, such as 2026-11-19`;

/** Longest part of a caller's value that an answer repeats. */
const QUOTED_MAX = 120;

/** A whole number in decimal digits. */
export function integer(
  min: number,
  max: number,
): z.ZodType<number, string> {
  const message = `must be an integer from ${min} to ${max}`;
  return z.string().max(9, message).regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** `true` or `false`, and nothing else. */
export const bool: z.ZodType<boolean, string> = z
  .enum(["true", "false"], "must be true or false")
  .transform((text) => text === "true");

/** A calendar date that exists. */
export const day: z.ZodType<Day, string> = z
  .string({
    error: ({ input }) =>
      input === undefined ? DAY_GIVEN : `must be ${DAY_WANTED}`,
  })
  .max(DAY_LENGTH, `must be ${DAY_WANTED}`)
  .transform((text, context) => {
    const found = parseDay(text);
    if (found !== null) return found;
    context.addIssue({ code: "custom", message: `must be ${DAY_WANTED}` });
    return z.NEVER;
  });

/** The query of an address, without the question mark; empty when none. */
export function queryOf(url: string): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at + 1);
}

/** A parameter of a page's address; null where it was not given. */
export function queryParam(context: RouteContext, name: string): string | null {
  const query = context.get("query") ??
    new URLSearchParams(queryOf(context.req.url));
  context.set("query", query);
  return query.get(name);
}

/**
 * Reads a query by its schema; `action` begins the sentence of a refusal.
 *
 * @throws {Refused} `invalid_input` for a repeated or malformed parameter
 */
export function parseQuery<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  query: string,
  action: string,
): z.output<z.ZodObject<Shape>> {
  const sent = new URLSearchParams(query);
  const values: Record<string, string> = {};
  const repeated: string[] = [];
  for (const name of Object.keys(schema.shape)) {
    const [value, second] = sent.getAll(name);
    if (second !== undefined) repeated.push(name);
    if (value !== undefined) values[name] = value;
  }
  const parsed = schema.safeParse(values);
  if (parsed.success && repeated.length === 0) return parsed.data;
  const issues = parsed.error?.issues ?? [];
  const malformed = everyIssue(issues, ({ path, message }) => {
    const name = String(path[0]);
    const value = values[name];
    if (value !== undefined) {
      return `${name} ${message}, current value is ${quoted(value)}`;
    }
    const saysMore = message.startsWith(GIVEN_WANTED);
    return `${name} ${saysMore ? message : GIVEN_WANTED}`;
  });
  const said = repeated.map((name) => `${name} must be given once`);
  if (malformed !== "") said.push(malformed);
  refuseInput(`${action}: ${said.join("; ")}`);
}

/**
 * Reads the day in a path.
 *
 * @throws {Refused} `invalid_input` for anything but a calendar date
 */
export function parsePathDay(text: string): Day {
  return parseDay(text) ??
    refuseInput(`Cannot read day ${quoted(text)}: a day is ${DAY_WANTED}`);
}

/** Ends the request with 400. */
export function refuseInput(message: string): never {
  refuse({ code: "invalid_input", message });
}

/** A caller's value as an answer repeats it: quoted, and cut when long. */
export function quoted(text: string): string {
  return JSON.stringify(
    text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text,
  );
}
