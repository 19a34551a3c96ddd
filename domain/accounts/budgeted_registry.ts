import type { RateLimiter } from "../rate_limit/limiter.ts";
import {
  ACCOUNT_VAT_LOOK_UPS,
  ALL_VAT_LOOK_UPS,
} from "../rate_limit/policy.ts";
import type { VatRegistry, VatSource } from "./vat_registry.ts";

/**
 * The registry as it is asked: so often for an account, so often in all, over
 * every process. It blocks who floods it, and then nobody could be verified.
 * Out of budget is no answer, as an outage is, with when to ask again.
 */
export function budgetedRegistry(
  source: VatSource,
  limiter: Pick<RateLimiter, "takeAll">,
): VatRegistry {
  return {
    read: (text) => source.read(text),
    async check(vatId, accountId) {
      const verdict = await limiter.takeAll([
        { id: `vat_account:${accountId}`, policy: ACCOUNT_VAT_LOOK_UPS },
        { id: "vat_registry:all", policy: ALL_VAT_LOOK_UPS },
      ], accountId);
      if (verdict.admitted) return await source.check(vatId);
      const retryAfterMs = verdict.retryAfterS * 1_000;
      return {
        outcome: "unknown",
        consultation: null,
        name: null,
        retryAfterMs,
      };
    },
  };
}
