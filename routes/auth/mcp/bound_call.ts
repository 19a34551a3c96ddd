import type { BoundAnswer } from "../../../domain/idempotency/bound_answer.ts";
import type { Json } from "../../../domain/idempotency/canonical_json.ts";
import type { Binding } from "../../../domain/idempotency/replay.ts";
import { bindingTo } from "../agent/bound_request.ts";
import type { AdvertiserCaller } from "./advertiser_caller.ts";

/** Who changes what, and what a repeat of the call is known by. */
export interface BoundCall {
  accountId: string;
  grantId: string;
  binding: Binding | null;
}

/** The request of the agent API that a call stands for. */
export interface BoundOperation {
  /** Method and path with its ids. */
  operation: string;
  /** The argument idempotency_key. */
  key: string | undefined;
  /** What the request says besides its path. */
  said?: Json;
}

/**
 * Binds a call as the same request over HTTP is bound, so that either repeats
 * the other. Decision 0175 says why.
 *
 * @throws {Refused} `bad_request` for a key of another shape
 */
export function boundCall(
  { grant: { id, accountId } }: AdvertiserCaller,
  { operation, key, said = {} }: BoundOperation,
): BoundCall {
  const header = key ?? null;
  const binding = bindingTo({ owner: id, operation, header, said });
  return { accountId, grantId: id, binding };
}

/** The answer as an object, the same one for every repeat. */
// deno-lint-ignore no-explicit-any -- the tool's output schema looks at it
export function objectOf({ answer }: Pick<BoundAnswer, "answer">): any {
  return JSON.parse(answer.body);
}
