import type { Verdict } from "../../domain/rate_limit/limiter.ts";
import { TooManyWaiting } from "../../domain/rate_limit/uncounted.ts";
import { refuse } from "../../domain/refusal.ts";
import { clientOf, type RateLimits } from "../middleware/rate_limit.ts";
import type { Gate } from "../route_table.ts";

/**
 * Requests that go on without their verdict at once; further ones wait for it,
 * a hundredth of a second behind so many.
 */
const UNAWAITED_MAX = 250;

/** For a request whose bucket the store can't tell of. */
const UNTOLD: Verdict = { admitted: true, remaining: 0 };
/** For one that comes while too many of its network wait: the store does answer. */
const CROWDED: Verdict = { admitted: false, retryAfterS: 1 };

/**
 * A gate: every request costs a token of the client's bucket of clicks. A
 * bucket that is known to be empty refuses at once; otherwise the request goes
 * on while its token is taken, and is counted only when it was granted. So a
 * few requests too many may be redirected, but none is counted.
 *
 * While the store does not answer, one request at a time asks it; all others
 * go on, and are counted, without a token.
 *
 * @throws {Refused} with `rate_limited` when the bucket is empty
 */
export function limitClicks(
  limits: RateLimits,
  unawaitedMax: number = UNAWAITED_MAX,
): Gate {
  let unawaited = 0;
  let isFailing = false;

  async function untilTold(taken: Promise<Verdict>): Promise<Verdict> {
    unawaited += 1;
    try {
      const verdict = await taken;
      isFailing = false;
      return verdict;
    } catch (thrown) {
      if (thrown instanceof TooManyWaiting) return CROWDED;
      isFailing = true;
      return UNTOLD;
    } finally {
      unawaited -= 1;
    }
  }

  return async function limitClicks(context) {
    if (isFailing && unawaited > 0) {
      context.set("admission", Promise.resolve(true));
      return null;
    }
    const taken = limits.limiter.take("click", clientOf(context, limits));
    const verdict = taken instanceof Promise ? untilTold(taken) : taken;
    const admission = Promise.resolve(verdict).then((told) => told.admitted);
    context.set("admission", admission);
    const isWaitedFor = !(verdict instanceof Promise) ||
      unawaited > unawaitedMax;
    if (isWaitedFor) refuseUnlessAdmitted(await verdict);
    return null;
  };
}

function refuseUnlessAdmitted(verdict: Verdict): void {
  if (verdict.admitted) return;
  refuse({ code: "rate_limited", retryAfterS: verdict.retryAfterS });
}
