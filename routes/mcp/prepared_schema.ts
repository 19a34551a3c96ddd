import type {
  StandardSchemaV1,
  StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { spotlightRecord } from "../shapes/public_outputs.ts";

/** A schema whose JSON form is there already. */
export interface ToolSchema extends StandardSchemaWithJSON<unknown, unknown> {
  /** As it is published, JSON Schema 2020-12. */
  readonly json: Readonly<Record<string, unknown>>;
}

/**
 * Publishes a zod schema. The SDK asks for the JSON form at every call of a
 * tool; making it takes longer than the rest of the call.
 */
export function preparedSchema(
  schema: z.ZodType,
  io: "input" | "output",
): ToolSchema {
  const json = deepFrozen(
    z.toJSONSchema(schema, {
      target: "draft-2020-12",
      io,
      override: ({ jsonSchema, zodSchema }) => {
        leave(jsonSchema);
        // Results may get new members at any time, a Spotlight never.
        const isOpen = io === "output" && zodSchema !== spotlightRecord;
        if (isOpen && jsonSchema.additionalProperties === false) {
          delete jsonSchema.additionalProperties;
        }
      },
    }),
  );
  return {
    json,
    "~standard": {
      version: 1,
      vendor: "zod",
      validate: (value) => validated(schema, value, io),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

/** Problems that are told; who mends these is told the rest. */
const PROBLEMS_MAX = 10;
/** Longest sentence of a problem, which may quote what was given. */
const PROBLEM_MAX = 300;

/** What is given is a stranger's: of what is wrong with it little is said. */
async function validated(
  schema: z.ZodType,
  value: unknown,
  io: "input" | "output",
): Promise<StandardSchemaV1.Result<unknown>> {
  const result = await schema["~standard"].validate(value);
  if (io === "output" || result.issues === undefined) return result;
  return { issues: result.issues.slice(0, PROBLEMS_MAX).map(shortened) };
}

function shortened(issue: StandardSchemaV1.Issue): StandardSchemaV1.Issue {
  const { message } = issue;
  return message.length <= PROBLEM_MAX
    ? issue
    : { ...issue, message: `${message.slice(0, PROBLEM_MAX)}…` };
}

/**
 * Leaves out what zod says of every integer and every time: half of a list of
 * tools, which a model has to read before it does anything.
 */
function leave(json: z.core.JSONSchema.BaseSchema): void {
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.format === "date-time") delete json.pattern;
}

/** Every request is given the same object, so none may change it. */
function deepFrozen<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) deepFrozen(member);
  return Object.freeze(value);
}
