import { parseJson } from "../../text/parse_json.ts";

/** A JSON object of unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Reads a JSON object; null for any other text. */
export function parseJsonObject(text: string): JsonObject | null {
  const read = parseJson(text);
  return read.ok ? asJsonObject(read.value) : null;
}

/** The value if it is an object, not an array; null otherwise. */
export function asJsonObject(value: unknown): JsonObject | null {
  return typeof value === "object" && !Array.isArray(value)
    ? value as JsonObject | null
    : null;
}
