/**
 * What the client of `clients/` knows of the interface, read off openapi.json:
 * types for who writes a program, and a table for the client itself.
 *
 * @module
 */
import { comment, type Json, membersOf, typeOf } from "./typescript.ts";

/** Where a parameter goes, and the member of the input that holds it. */
const PLACES = { path: "path", query: "query", header: "headers" } as const;

const BY = "Made of openapi.json by `deno task client`: change that instead.";

/** An operation, as the document describes it. */
interface Described {
  id: string;
  method: string;
  path: string;
  host: "site" | "auth";
  operation: Json;
  parameters: Json[];
}

/** The table of operations: what a request of each consists of. */
export function tableText(document: Json): string {
  const rows = operationsOf(document).map((described) => {
    const { id, method, path, host, operation, parameters } = described;
    const scope = operation.security[0]?.oauth?.[0] ?? null;
    const names = (place: string) =>
      parameters.filter((each) => each.in === place).map(({ name }) => name);
    return [id, {
      method: method.toUpperCase(),
      host,
      path,
      query: names("query"),
      scope,
    }];
  });
  return `/** ${BY} */\n\n` +
    "/** What a request of each operation consists of. */\n" +
    `export const OPERATIONS = ${JSON.stringify(Object.fromEntries(rows))};\n`;
}

/** The types of all shapes, and of input and answer of each operation. */
export function typesText(document: Json): string {
  const schemas = Object.entries<Json>(document.components.schemas).map((
    [name, schema],
  ) =>
    `${comment(schema.description ?? `The shape ${name}.`)}` +
    `export type ${name} = ${typeOf(schema)};\n`
  );
  const operations = operationsOf(document).map((described) => {
    const { id, operation } = described;
    return `${comment(operation.summary)}${id}: {\n` +
      `input: ${inputOf(described)};\nanswer: ${answerOf(operation)};\n};\n`;
  });
  return `/** ${BY} */\n\n${schemas.join("\n")}\n` +
    "/** Input and answer of each operation, by its name. */\n" +
    `export interface Operations {\n${operations.join("")}}\n`;
}

function operationsOf({ paths, components }: Json): Described[] {
  return Object.entries<Json>(paths).flatMap(([path, item]) => {
    const { servers, parameters = [], ...operations } = item;
    const host = servers === undefined ? "site" : "auth";
    const schemes = components.securitySchemes;
    return Object.entries<Json>(operations).map(([method, operation]) => ({
      id: operation.operationId,
      method,
      path,
      host,
      operation,
      parameters: [
        ...parameters,
        ...credentialsOf(operation, schemes),
        ...operation.parameters ?? [],
      ],
    }));
  });
}

/**
 * The header of a credential that is made for one request. OpenAPI knows no
 * parameter Authorization, only schemes; tokens of OAuth the client sends by
 * itself.
 */
function credentialsOf({ security }: Json, schemes: Json): Json[] {
  const names: string[] = security.flatMap(Object.keys);
  return names.map((name) => schemes[name]).filter(({ type }) =>
    type === "http"
  )
    .map(({ description }) => ({
      name: "Authorization",
      in: "header",
      schema: { type: "string" },
      description,
    }));
}

function inputOf({ operation, parameters }: Described): string {
  const groups = Object.entries(PLACES).flatMap(([place, member]) => {
    const own = parameters.filter((each) => each.in === place);
    if (own.length === 0) return [];
    const mark = own.some(({ required }) => required) ? "" : "?";
    const members = own.map(({ name, schema, required, description }) => ({
      name,
      schema: { ...schema, description },
      required: required === true,
    }));
    return [`${member}${mark}: {\n${membersOf(members)}\n};`];
  });
  const body = operation.requestBody?.content["application/json"].schema;
  if (body !== undefined) groups.push(`body: ${typeOf(body)};`);
  return groups.length === 0
    ? "Record<never, never>"
    : `{\n${groups.join("\n")}\n}`;
}

/** What the first kind of success is read as: JSON, text or bytes. */
function answerOf({ responses }: Json): string {
  const successes = Object.entries<Json>(responses)
    .filter(([status]) => Number(status) < 300)
    .map(([, { content = {} }]) => content);
  const types = successes.map((content) => {
    const json = content["application/json"];
    if (json !== undefined) return typeOf(json.schema);
    return Object.keys(content).some((type) => type.startsWith("text/"))
      ? "string"
      : "Uint8Array";
  });
  return [...new Set(types)].join(" | ");
}
