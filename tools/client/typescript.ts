/**
 * JSON Schemas as TypeScript says them.
 *
 * @module
 */

/** A JSON Schema, or a part of a description in OpenAPI. */
// deno-lint-ignore no-explicit-any -- a document of any depth is walked
export type Json = any;

/** The type of what fits a schema; another schema by its name. */
export function typeOf(schema: Json): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return unionOf(schema.enum.map(literal));
  if (schema.anyOf !== undefined) return unionOf(schema.anyOf.map(typeOf));
  if (Array.isArray(schema.type)) {
    return unionOf(schema.type.map((type: string) => typeOf({ type })));
  }
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `Array<${typeOf(schema.items ?? {})}>`;
    case "object":
      return objectOf(schema);
    default:
      return "unknown";
  }
}

/** Members with what is said of them, as an interface has them. */
export function membersOf(
  members: readonly { name: string; schema: Json; required: boolean }[],
): string {
  return members.map(({ name, schema, required }) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    return `${comment(schema.description)}${key}${required ? "" : "?"}: ${
      typeOf(schema)
    };`;
  }).join("\n");
}

/** A text as a comment; nothing where there is none. */
export function comment(text: string | undefined): string {
  if (text === undefined) return "";
  return `/** ${text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ")} */\n`;
}

function objectOf({ properties = {}, required = [], ...rest }: Json): string {
  if (Object.keys(properties).length === 0) {
    const { additionalProperties: any } = rest;
    return typeof any === "object" && Object.keys(any).length > 0
      ? `Record<string, ${typeOf(any)}>`
      : any === false
      ? "Record<string, never>"
      : "Record<string, unknown>";
  }
  const members = Object.entries<Json>(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
  }));
  return `{\n${membersOf(members)}\n}`;
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

function literal(value: unknown): string {
  return JSON.stringify(value);
}

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}
