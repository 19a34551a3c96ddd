import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";

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
      override: ({ jsonSchema }) => leave(jsonSchema),
    }),
  );
  return {
    json,
    "~standard": {
      version: 1,
      vendor: "zod",
      validate: (value) => schema["~standard"].validate(value),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
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
