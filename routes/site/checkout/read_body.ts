import type { Json } from "../../../domain/idempotency/canonical_json.ts";
import { AGENT_BODY_MAX_BYTES } from "../../../domain/limits.ts";
import { refuse } from "../../../domain/refusal.ts";
import { readJsonBody } from "../../auth/agent/json_body.ts";
import { bodyBytes } from "../../body_bytes.ts";

/** How deep a body may be nested: bodies are walked to be compared. */
const DEPTH_MAX = 32;

/**
 * Reads a JSON body of 16 KiB at most. Numbers beyond all bounds are refused,
 * since two of them would be taken for the same.
 *
 * @throws {Refused} `bad_request`
 */
export async function readBody(request: Request): Promise<Json> {
  const body = await readJsonBody(request);
  if (isComparable(body, 0)) return body;
  return refuse({
    code: "bad_request",
    message: "Cannot read the body: it must be nested " +
      `${DEPTH_MAX} levels deep at most, with finite numbers`,
  });
}

/**
 * The same where the protocol lets the body be left out.
 *
 * @throws {Refused} `bad_request`
 */
export async function readOptionalBody(request: Request): Promise<Json> {
  if (request.headers.has("content-type")) return await readBody(request);
  const bytes = await bodyBytes(request, AGENT_BODY_MAX_BYTES);
  if (typeof bytes !== "string" && bytes.byteLength === 0) return {};
  return refuse({
    code: "bad_request",
    message: "Cannot read the body: its media type must be application/json",
  });
}

function isComparable(value: Json, depth: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return depth < DEPTH_MAX &&
    Object.values(value).every((each) => isComparable(each, depth + 1));
}
