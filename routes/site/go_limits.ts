import { refuse } from "../../domain/refusal.ts";
import { clientOf, type RateLimits } from "../middleware/rate_limit.ts";
import type { Gate } from "../route_table.ts";

/** Requests that go on without their verdict at once; further ones wait. */
export const UNAWAITED_MAX = 1_000;

/**
 * A gate: every request costs a token of the client's bucket of clicks. A
 * bucket that is known to be empty refuses at once; otherwise the request goes
 * on while its token is taken, and is counted only when it was granted. So a
 * few requests too many may be redirected, none is counted, and a store that
 * does not answer delays nobody. When it does not, clicks are counted without.
 *
 * @throws {Refused} with `rate_limited` when the bucket is empty
 */
export function limitClicks(
  limits: RateLimits,
  unawaitedMax: number = UNAWAITED_MAX,
): Gate {
  let unawaited = 0;
  return async function limitClicks(context) {
    const taken = limits.limiter.take("click", clientOf(context, limits));
    if (!(taken instanceof Promise)) {
      if (!taken.admitted) refuseLimited(taken.retryAfterS);
      context.set("admission", Promise.resolve(true));
      return null;
    }
    unawaited += 1;
    const verdict = taken
      .catch(() => ({ admitted: true as const, remaining: 0 }))
      .finally(() => unawaited -= 1);
    context.set("admission", verdict.then(({ admitted }) => admitted));
    if (unawaited <= unawaitedMax) return null;
    const late = await verdict;
    if (!late.admitted) refuseLimited(late.retryAfterS);
    return null;
  };
}

function refuseLimited(retryAfterS: number): never {
  refuse({ code: "rate_limited", retryAfterS });
}
