import type { Settings } from "../../../domain/ports.ts";
import type { Answer, Operation, Parameter } from "../../shapes/operation.ts";
import type { SchemaName } from "../../shapes/schemas.ts";
import { errorExamples } from "./error_examples.ts";
import {
  EXAMPLES,
  hasExample,
  PARAMETER_EXAMPLES,
  withAddresses,
} from "./examples.ts";
import { KINDS } from "./kinds.ts";

type Addresses = Pick<Settings, "baseUrl" | "authUrl">;
type Json = Record<string, unknown>;

/** An operation as openapi.json describes it, with an example of all it says. */
export function operationObject(operation: Operation, at: Addresses): Json {
  const { id, summary, description, body, kind } = operation;
  const { tag, parameters } = KINDS[kind];
  const all = [...parameters, ...operation.parameters ?? []];
  const made = {
    operationId: id,
    tags: [tag],
    summary,
    ...description !== undefined && { description },
    ...all.length > 0 && { parameters: all.map(withExample) },
    ...body !== undefined && {
      requestBody: {
        required: true,
        content: { "application/json": mediaType([body], examplesOf([body])) },
      },
    },
    responses: responsesOf(operation),
    security: securityOf(operation),
  };
  return withAddresses(made, at);
}

function withExample(parameter: Parameter): Json {
  const { name, schema } = parameter;
  // One cursor is a day, as `day` is.
  const like = schema["format"] === "date" ? "day" : name;
  return { ...parameter, example: PARAMETER_EXAMPLES[like] };
}

/** What no token is needed for says so: nothing stands above all operations. */
function securityOf({ kind, scope }: Operation): Json[] {
  if (kind === "metrics") return [{}, { payment: [] }];
  return scope === undefined ? [] : [{ oauth: [scope] }];
}

function responsesOf(operation: Operation): Json {
  const { errors, failure, headers } = KINDS[operation.kind];
  const failed = { [failure.mediaType]: failure.schema };
  return Object.fromEntries(
    Object.entries({ ...errors, ...operation.answers }).map(
      ([status, answer]) => [
        status,
        responseObject(
          Number(status) >= 400 ? { content: failed, ...answer } : answer,
          headers,
          (names) =>
            examplesOf(names, errorExamples(Number(status), operation)),
        ),
      ],
    ),
  );
}

function responseObject(
  { description, content, headers }: Answer,
  common: Readonly<Record<string, string>>,
  examples: (names: readonly SchemaName[]) => Json,
): Json {
  const all = Object.entries({ ...common, ...headers });
  return {
    description,
    ...all.length > 0 && {
      headers: Object.fromEntries(
        all.map(([name, text]) => [name, {
          description: text,
          schema: { type: "string" },
        }]),
      ),
    },
    ...content && {
      content: Object.fromEntries(
        Object.entries(content).map(([type, given]) => {
          const names = [given].flat() as SchemaName[];
          return [type, mediaType(names, examples(names))];
        }),
      ),
    },
  };
}

/** Examples of shapes by their names; those of errors are by status. */
function examplesOf(
  names: readonly SchemaName[],
  errors: ReturnType<typeof errorExamples> = [],
): Json {
  const values = names.filter(hasExample).map((name) => [name, EXAMPLES[name]]);
  const said = errors.filter(({ schema }) => names.includes(schema))
    .map(({ name, value }) => [name, value]);
  return Object.fromEntries(
    [...values, ...said].map(([name, value]) => [name, { value }]),
  );
}

function mediaType(names: readonly SchemaName[], examples: Json): Json {
  const refs = names.map((name) => ({
    $ref: `#/components/schemas/${name}`,
  }));
  return { schema: refs.length === 1 ? refs[0] : { anyOf: refs }, examples };
}
