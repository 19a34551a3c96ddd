import type { Answered } from "../../domain/idempotency/answer_once.ts";
import {
  type Json,
  requestHash,
} from "../../domain/idempotency/canonical_json.ts";
import { parseIdempotencyKey } from "../../domain/idempotency/key.ts";
import type { BearerGrant } from "../../domain/oauth/grant.ts";
import type { Services } from "../../domain/ports.ts";
import type { Change } from "./operation.ts";

/** A change as it is asked for over HTTP or as a tool. */
export interface ChangeRequest {
  grant: BearerGrant;
  /** The widest network of who asks; null in a rehearsal. */
  network: string | null;
  /** Settled once the request is let through. */
  admitted: Promise<unknown>;
  /** What stands in the path. */
  id: string;
  /** Method and path with its ids. */
  request: string;
  /** Null for a request without a key. */
  key: string | null;
  /** What is said besides. */
  said: Json;
}

/**
 * The key of a change; null where none is given and none is needed.
 *
 * @throws {Refused} `idempotency_key_required`, or `bad_request` for a key of
 * another shape
 */
export function keyOf({ key }: Change, given: string | null): string | null {
  const isLeftOut = given === null && key === "optional";
  return isLeftOut ? null : parseIdempotencyKey(given);
}

/**
 * Changes something once a key, which is bound to its grant, to method and path
 * with the ids in it, and to what is said besides (contract §11.1). So a call
 * of a tool repeats a request, and a request a call: decision 0175 says why.
 */
export function changeOnce(
  services: Services,
  operation: Change,
  { grant, network, admitted, id, request, key, said }: ChangeRequest,
): Promise<Answered<unknown>> {
  const body = operation.body?.parse(said);
  const bound = operation.body?.bound?.(body) ?? said;
  const binding = key === null ? null : {
    owner: grant.id,
    operation: request,
    key,
    requestHash: requestHash(bound),
    ...operation.isAnswerSecret && { sealedBy: services.keys },
  };
  return operation.change(services, {
    grant,
    network,
    admitted,
    id,
    body,
    binding,
  });
}
