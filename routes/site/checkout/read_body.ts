import type { Json } from "../../../domain/idempotency/canonical_json.ts";
import { AGENT_BODY_MAX_BYTES } from "../../../domain/limits.ts";
import { refuse } from "../../../domain/refusal.ts";
import { type BodySource, readBody as readBytes } from "../../http/body.ts";
import { readJsonBody } from "../../http/json_body.ts";

/**
 * Reads a JSON body of 16 KiB at most. Numbers beyond all bounds are refused,
 * since two of them would be taken for the same.
 *
 * @throws {Refused} `bad_request`
 */
export async function readBody(source: BodySource): Promise<Json> {
  const body = await readJsonBody(source);
  if (isComparable(body)) return body;
  return refuse({
    code: "bad_request",
    message: "Cannot read the body: its numbers must be finite",
  });
}

/**
 * The same where the protocol lets the body be left out.
 *
 * @throws {Refused} `bad_request`
 */
export async function readOptionalBody(source: BodySource): Promise<Json> {
  if (source.req.raw.headers.has("content-type")) {
    return await readBody(source);
  }
  const bytes = await readBytes(source, AGENT_BODY_MAX_BYTES);
  if (typeof bytes !== "string" && bytes.byteLength === 0) return {};
  return refuse({
    code: "bad_request",
    message: "Cannot read the body: its media type must be application/json",
  });
}

function isComparable(value: Json): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isComparable);
}
