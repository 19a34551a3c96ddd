import type { BoundAnswer } from "../../../domain/idempotency/bound_answer.ts";
import {
  type Json,
  requestHash,
} from "../../../domain/idempotency/canonical_json.ts";
import { parseIdempotencyKey } from "../../../domain/idempotency/key.ts";
import type { Binding } from "../../../domain/idempotency/replay.ts";
import type { Grant } from "../../../domain/oauth/grant.ts";
import type { RouteContext } from "../../route_table.ts";
import { agentJson } from "./agent_answer.ts";

/**
 * What the request's Idempotency-Key is bound to: its grant, and its method and
 * path with the ids in it (contract §11.1). Null without a key, which is
 * optional here.
 *
 * @param said what the request says besides its path
 * @throws {Refused} `bad_request` for a key of another shape
 */
export function bindingOf(
  context: RouteContext,
  { id: owner }: Grant,
  said: Json = {},
): Binding | null {
  const { method, path } = context.req;
  return bindingTo({
    owner,
    operation: `${method} ${path}`,
    header: keyHeader(context),
    said,
  });
}

/**
 * Ends a request without an Idempotency-Key where one is required.
 *
 * @throws {Refused} `idempotency_key_required`, or `bad_request` for a key of
 * another shape
 */
export function requireKey(context: RouteContext): void {
  parseIdempotencyKey(keyHeader(context));
}

function keyHeader(context: RouteContext): string | null {
  return context.req.raw.headers.get("idempotency-key");
}

/**
 * What a key is bound to by a request.
 *
 * @throws {Refused} `bad_request` for a key of another shape
 */
export function bindingTo(
  { owner, operation, header, said = {} }: {
    owner: string;
    operation: string;
    /** Null stands for no key. */
    header: string | null;
    /** What the request says besides its path. */
    said?: Json;
  },
): Binding | null {
  if (header === null) return null;
  const key = parseIdempotencyKey(header);
  return { owner, operation, key, requestHash: requestHash(said) };
}

/** The answer, marked where it is that of an earlier request. */
export function boundJson(
  context: RouteContext,
  { answer, replayed }: BoundAnswer,
): Response {
  return agentJson(context, answer.body, {
    status: answer.status,
    headers: replayed ? { "idempotent-replayed": "true" } : {},
  });
}
