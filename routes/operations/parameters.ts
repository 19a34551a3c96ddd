/**
 * Members of queries, which tools take as arguments: how each is read as text
 * and as JSON, and how it is described.
 *
 * @module
 */
import { z } from "zod";
import type { Day } from "../../domain/day.ts";
import { AD_ID_SHAPE, MAX_BID_CENTS } from "../../domain/limits.ts";
import {
  DATE,
  LIMIT_PARAMETER,
  type Parameter,
  query,
} from "../shapes/operation.ts";
import { ID_MAX } from "../http/bounded_text.ts";
import { CURSOR_MAX } from "../http/list_query.ts";
import { day, integer } from "../http/query.ts";
import {
  dayArgument,
  integerArgument,
  limitArgument,
} from "../mcp/tool_arguments.ts";
import { adIdText } from "../shapes/creative_body.ts";

/** A member of a query. */
export interface QueryParameter<Value> {
  /** Reads it in an address. */
  text: z.ZodType<Value>;
  /** Reads it among a tool's arguments. */
  argument: z.ZodType<Value>;
  /** Describes it, but for its name. */
  told: (name: string) => Parameter;
}

function parameter<Value>(
  reads: Pick<QueryParameter<Value>, "text" | "argument">,
  schema: Parameter["schema"],
  description: string,
  required = false,
): QueryParameter<Value> {
  const told = (name: string) => query(name, schema, description, required);
  return { ...reads, told };
}

/** A day that has to be named. */
export function dayParameter(description: string): QueryParameter<Day> {
  return parameter(
    { text: day, argument: dayArgument },
    DATE,
    description,
    true,
  );
}

/** A day that may be left out. */
export function optionalDay(
  description: string,
): QueryParameter<Day | undefined> {
  const argument = dayArgument.optional();
  return parameter({ text: day.optional(), argument }, DATE, description);
}

/** A creative, which may be left out. */
export const optionalAdId: QueryParameter<string | undefined> = parameter(
  {
    text: adIdText.optional(),
    argument: adIdText.optional().describe(
      "The ad_id of a creative of the account, from list_creatives",
    ),
  },
  { type: "string", maxLength: ID_MAX, pattern: AD_ID_SHAPE.source },
  "The ad_id of the bid's creative, from GET /v1/agent/creatives",
);

/** An amount of a bid, which may be left out. */
export const optionalCents: QueryParameter<number | undefined> = parameter(
  {
    text: integer(0, MAX_BID_CENTS).optional(),
    argument: integerArgument(0, MAX_BID_CENTS).optional(),
  },
  { type: "integer", minimum: 0, maximum: MAX_BID_CENTS },
  "The amount of the bid",
);

/** A whole number that may be left out; a tool's may be bounded closer. */
export function optionalInteger(
  { min, max, toolMax = max }: { min: number; max: number; toolMax?: number },
  description: string,
): QueryParameter<number | undefined> {
  const argument = integerArgument(min, toolMax).optional()
    .describe(description);
  return parameter(
    { text: integer(min, max).optional(), argument },
    { type: "integer", minimum: min, maximum: max },
    description,
  );
}

/** A text that is read as something else, and may be left out. */
export function optionalText<Value>(
  reads: z.ZodType<Value, string>,
  maxLength: number,
  description: string,
): QueryParameter<Value | undefined> {
  const argument = reads.optional().describe(description);
  return parameter(
    { text: reads.optional(), argument },
    { type: "string", maxLength },
    description,
  );
}

/** What a list takes as arguments (contract §7.1). */
export const PAGE_ARGUMENTS: {
  limit: typeof limitArgument;
  cursor: z.ZodOptional<z.ZodString>;
} = {
  limit: limitArgument,
  cursor: z.string().max(CURSOR_MAX).optional().describe(
    "The next_cursor of the page before",
  ),
};

/** The same as it is described. */
export const PAGE_PARAMETERS: readonly Parameter[] = [
  LIMIT_PARAMETER,
  query(
    "cursor",
    { type: "string", maxLength: CURSOR_MAX },
    "next_cursor of the page before",
  ),
];
