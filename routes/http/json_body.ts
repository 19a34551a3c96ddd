import type { z } from "zod";
import type { Json } from "../../domain/idempotency/canonical_json.ts";
import { AGENT_BODY_MAX_BYTES } from "../../domain/limits.ts";
import { refuse } from "../../domain/refusal.ts";
import {
  JSON_DEPTH_MAX,
  JSON_PARTS_MAX,
  type JsonFault,
  parseJson,
} from "../../domain/text/parse_json.ts";
import { everyIssue } from "./every_issue.ts";
import { saysJson } from "./json_type.ts";
import {
  type Body,
  type BodyFault,
  type BodySource,
  readBody,
  utf8Text,
} from "./body.ts";
import { refuseInput } from "./query.ts";

/** What a body would have to do, as the end of a sentence about it. */
export function jsonWanted(
  fault: Exclude<BodyFault | JsonFault, "too_long">,
  partsMax = JSON_PARTS_MAX,
): string {
  switch (fault) {
    case "cut_off":
      return "arrive whole";
    case "not_json":
      return "be JSON in UTF-8";
    case "repeated_member":
      return "name no member twice";
    case "too_many_parts":
      return `have ${partsMax} members and elements at most`;
    case "too_deep":
      return `be nested ${JSON_DEPTH_MAX} levels deep at most`;
  }
}

/** Reads a body as JSON, the one way for every surface. */
export function jsonOf(
  body: Body,
  partsMax = JSON_PARTS_MAX,
): { ok: true; value: Json } | { ok: false; fault: BodyFault | JsonFault } {
  if (typeof body === "string") return { ok: false, fault: body };
  const text = utf8Text(body);
  return text === null
    ? { ok: false, fault: "not_json" }
    : parseJson(text, partsMax);
}

/** The largest body that a route takes. */
export interface JsonBounds {
  bytes: number;
  /** Members of objects and elements of lists, together. */
  parts: number;
}

const ANY_BODY: JsonBounds = {
  bytes: AGENT_BODY_MAX_BYTES,
  parts: JSON_PARTS_MAX,
};

/**
 * Reads a JSON body of 16 KiB at most, where the route does not take more.
 *
 * @throws {Refused} `bad_request` for another media type and a body that is
 * not taken
 */
export async function readJsonBody(
  source: BodySource,
  { bytes, parts } = ANY_BODY,
): Promise<Json> {
  if (!saysJson(source.req.raw)) {
    badRequest("its media type must be application/json");
  }
  const read = jsonOf(await readBody(source, bytes), parts);
  if (read.ok) return read.value;
  badRequest(
    read.fault === "too_long"
      ? `it must be of ${bytes} bytes at most`
      : `it must ${jsonWanted(read.fault, parts)}`,
  );
}

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
  bounds?: JsonBounds,
): Promise<T> {
  const parsed = schema.safeParse(await readJsonBody(source, bounds));
  if (parsed.success) return parsed.data;
  const said = everyIssue(
    parsed.error.issues,
    ({ path, message }) => `${path.join(".") || "the body"}: ${message}`,
  );
  refuseInput(`${action}: ${said}`);
}

function badRequest(wanted: string): never {
  refuse({
    code: "bad_request",
    message: `Cannot read the body: ${wanted}`,
  });
}
