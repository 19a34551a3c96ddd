import { createHash, timingSafeEqual } from "node:crypto";
import { refuse } from "../../../domain/refusal.ts";
import type { RouteServices } from "../../context.ts";
import { chargePublic } from "../../middleware/rate_limit.ts";
import type { Gate } from "../../route_table.ts";

const BEARER = /^bearer +(\S+) *$/i;

/**
 * A gate: only who holds the operator's key passes. The comparison takes as
 * long for any key. A request refused with 401 costs 1 of the public bucket
 * (contract §13.1), which makes wrong keys cost what other requests cost. It
 * does not stop guessing, since the right key passes with an empty bucket too;
 * that the key has 256 bits does.
 */
export function requireOperatorKey(
  parts: RouteServices & { operatorKey: string },
): Gate {
  const wanted = digest(parts.operatorKey);
  return async function requireOperatorKey(context) {
    const header = context.req.raw.headers.get("authorization") ?? "";
    const key = BEARER.exec(header)?.[1] ?? "";
    if (timingSafeEqual(digest(key), wanted)) return null;
    await chargePublic(context, parts);
    refuse({ code: "operator_key_invalid" });
  };
}

/** Digests are of one length, whatever the keys are. */
function digest(key: string): Uint8Array {
  return createHash("sha256").update(key).digest();
}
