import { DAY_LENGTH } from "../../domain/day.ts";
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from "../../domain/limits.ts";
import type { Scope } from "../../domain/oauth/grant.ts";
import type { SchemaName } from "./schemas.ts";

/** A parameter of a query or a header. */
export interface Parameter {
  name: string;
  in: "query" | "header";
  required?: true;
  description: string;
  /** JSON Schema. */
  schema: Readonly<Record<string, unknown>>;
}

/** What an answer consists of. */
export interface Answer {
  description: string;
  /** What it holds in each media type, one of several; nothing when left out. */
  content?: Readonly<Record<string, SchemaName | readonly SchemaName[]>>;
  /** Headers beside those of every answer of the surface. */
  headers?: Readonly<Record<string, string>>;
}

/** The surfaces, each with errors and limits of its own. */
export type OperationKind =
  | "public"
  | "rehearsal"
  | "ask"
  | "metrics"
  | "checkout"
  | "agent";

/** One operation of the HTTP interface. */
export interface Operation {
  kind: OperationKind;
  /** Unique, for generated clients. */
  id: string;
  method: "get" | "post" | "patch" | "delete" | "put";
  /** With parameters in braces. */
  path: string;
  /** What the `{id}` of its path is, and where it comes from. */
  idTold?: string;
  summary: string;
  description?: string;
  /** What a token needs; operations without one need no token. */
  scope?: Scope;
  parameters?: readonly Parameter[];
  /** The JSON of the body. */
  body?: SchemaName;
  /** Successes by status, and failures that only this operation has. */
  answers: Readonly<Record<number, Answer>>;
}

/** A success with JSON. */
export function json(schema: SchemaName, description = "Success"): Answer {
  return { description, content: { "application/json": schema } };
}

/** What the header of paid figures says. */
export const METRICS_FINAL =
  "true: the figures never change again; false: counted so far";

/** A calendar date. */
export const DATE = {
  type: "string",
  format: "date",
  maxLength: DAY_LENGTH,
} as const;

/** Header Idempotency-Key, required or not. */
export function idempotencyKey(required: boolean): Parameter {
  return {
    name: "Idempotency-Key",
    in: "header",
    ...required && { required },
    description: "1 to 255 visible ASCII characters. The same key with the " +
      "same request is answered as the first time.",
    schema: {
      type: "string",
      minLength: 1,
      maxLength: 255,
      pattern: "^[!-~]+$",
    },
  };
}

/** How many items of a list are asked for. */
export const LIMIT_PARAMETER: Parameter = query("limit", {
  type: "integer",
  minimum: 1,
  maximum: LIST_LIMIT_MAX,
  default: LIST_LIMIT_DEFAULT,
}, "How many");

/** A parameter of the query. */
export function query(
  name: string,
  schema: Readonly<Record<string, unknown>>,
  description: string,
  required = false,
): Parameter {
  const isRequired = required ? { required } as const : {};
  return { name, in: "query", ...isRequired, description, schema };
}
