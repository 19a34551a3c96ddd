import { type Charge, networkCharges } from "../rate_limit/charge.ts";
import type { RateLimiter } from "../rate_limit/limiter.ts";
import {
  ACCOUNT_VAT_LOOK_UPS,
  ALL_VAT_LOOK_UPS,
  LATER_VAT_LOOK_UPS,
  NEWCOMER_VAT_LOOK_UPS,
} from "../rate_limit/policy.ts";
import type { VatAsker, VatRegistry, VatSource } from "./vat_registry.ts";

/**
 * The registry as it is asked: so often for an account, so often for a network of
 * accounts that nobody knows yet, so often for all of those, so often in all, over
 * every process. It blocks who floods it, and then nobody could be verified.
 * Out of budget is no answer, as an outage is, with when to ask again.
 */
export function budgetedRegistry(
  source: VatSource,
  limiter: Pick<RateLimiter, "takeAll">,
): VatRegistry {
  return {
    read: (text) => source.read(text),
    async check(vatId, asker) {
      const { accountId } = asker;
      const verdict = await limiter.takeAll([
        { id: `vat_account:${accountId}`, policy: ACCOUNT_VAT_LOOK_UPS },
        ...newcomerCharges(asker),
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

/** What an account draws on besides that anybody makes for nothing. */
function newcomerCharges({ isKnown, networks }: VatAsker): Charge[] {
  if (isKnown) return [];
  return networks.length === 0
    ? [{ id: "vat_registry:later", policy: LATER_VAT_LOOK_UPS }]
    : [
      ...networkCharges("vat_look_up", networks),
      { id: "vat_registry:newcomers", policy: NEWCOMER_VAT_LOOK_UPS },
    ];
}
