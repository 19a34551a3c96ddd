/** A JSON object of unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Reads a JSON object; null for any other text. */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    return asJsonObject(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The value if it is an object, not an array; null otherwise. */
export function asJsonObject(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as JsonObject
    : null;
}
