import type { z } from "zod";
import type { ActBy } from "../../../domain/audit/operator_act.ts";
import type { Day } from "../../../domain/day.ts";
import { type JsonBounds, readInput } from "../../http/json_body.ts";
import { parsePathDay, parseQuery, queryOf } from "../../http/query.ts";
import { type Method, type Route, route } from "../../route_table.ts";
import { respondJson } from "../../http/respond.ts";

/** Where the operator API begins on `{base_url}`. */
export const OPERATOR_PREFIX = "/operator/v1";

/** What an operation is asked for, each part read strictly. */
export interface Asked {
  /** A segment of the path, by its name in the pattern. */
  param(name: string): string;
  /** The day in the path. */
  day(): Day;
  /** The query; `action` begins the sentence of a refusal. */
  query<Shape extends z.ZodRawShape>(
    schema: z.ZodObject<Shape>,
    action: string,
  ): z.output<z.ZodObject<Shape>>;
  /** The body; `action` begins the sentence of a refusal. */
  body<T>(
    schema: z.ZodType<T>,
    action: string,
    bounds?: JsonBounds,
  ): Promise<T>;
  /** Whether a body was sent. */
  hasBody: boolean;
  /** Who asks: what an operator does is done by `actAs()`, for the audit. */
  by: ActBy;
}

/**
 * An operation of the operator API: what it answers is sent as JSON, which
 * nobody keeps.
 *
 * @param path below the prefix of the API
 */
export function operation(
  method: Method,
  path: string,
  answer: (asked: Asked) => Promise<unknown>,
  status = 200,
): Route {
  return route(method, `${OPERATOR_PREFIX}${path}`, async (context) => {
    const param = (name: string) => context.req.param(name) ?? "";
    const body = await answer({
      param,
      day: () => parsePathDay(param("day")),
      query: (schema, action) =>
        parseQuery(schema, queryOf(context.req.url), action),
      body: (schema, action, bounds) =>
        readInput(schema, context, action, bounds),
      hasBody: context.req.raw.headers.has("content-type"),
      by: context.get("operator"),
    });
    const headers = { "cache-control": "no-store" };
    return respondJson(body, { status, headers });
  });
}
