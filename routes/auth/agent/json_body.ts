import type { Json } from "../../../domain/idempotency/canonical_json.ts";
import { AGENT_BODY_MAX_BYTES } from "../../../domain/limits.ts";
import { refuse, Refused } from "../../../domain/refusal.ts";
import { saysJson } from "../../json_type.ts";

/**
 * Reads a JSON body of 16 KiB at most. What counts is the bytes that arrive,
 * never the length that was announced.
 *
 * @throws {Refused} `bad_request` for another media type, a longer body, and
 * what is not UTF-8 or not JSON
 */
export async function readJsonBody(request: Request): Promise<Json> {
  if (!saysJson(request)) {
    badRequest("its media type must be application/json");
  }
  const bytes = await readBytes(request.body);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    badRequest("it must be JSON in UTF-8");
  }
}

async function readBytes(
  body: ReadableStream<Uint8Array> | null,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(AGENT_BODY_MAX_BYTES);
  let length = 0;
  try {
    for await (const chunk of body ?? []) {
      if (length + chunk.byteLength > AGENT_BODY_MAX_BYTES) {
        badRequest(`it must be of ${AGENT_BODY_MAX_BYTES} bytes at most`);
      }
      bytes.set(chunk, length);
      length += chunk.byteLength;
    }
  } catch (thrown) {
    if (thrown instanceof Refused) throw thrown;
    // The caller has hung up, or sent chunks that are none.
    badRequest("it must arrive whole");
  }
  return bytes.subarray(0, length);
}

function badRequest(wanted: string): never {
  refuse({
    code: "bad_request",
    message: `Cannot read the body: ${wanted}`,
  });
}
