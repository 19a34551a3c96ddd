import type { z } from "zod";
import type { BodySource } from "../../http/body.ts";
import { readJsonBody } from "../../http/json_body.ts";
import { refuseInput } from "../../http/query.ts";

/**
 * Reads a JSON body by its schema; `action` begins the sentence of a refusal.
 *
 * @throws {Refused} `bad_request` for what is not JSON, `invalid_input` for
 * JSON of another shape
 */
export async function readInput<T>(
  schema: z.ZodType<T>,
  source: BodySource,
  action: string,
): Promise<T> {
  const parsed = schema.safeParse(await readJsonBody(source));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = issue?.path.join(".") || "the body";
  refuseInput(`${action}: ${name}: ${issue?.message ?? "not readable"}`);
}
