import { networkCharges } from "../rate_limit/charge.ts";
import { takeFirst } from "../rate_limit/first_of.ts";
import type { RateLimiter, Verdict } from "../rate_limit/limiter.ts";
import { widestOf } from "../rate_limit/network.ts";
import {
  ACCOUNT_VAT_LOOK_UPS,
  ALL_VAT_LOOK_UPS,
  CARD_VAT_LOOK_UPS,
  LATER_VAT_LOOK_UPS,
  NEWCOMER_VAT_LOOK_UPS,
  REPEATED_VAT_LOOK_UPS,
} from "../rate_limit/policy.ts";
import type { VatAsker, VatRegistry, VatSource } from "./vat_registry.ts";

const ALL = { id: "vat_registry:all", policy: ALL_VAT_LOOK_UPS };
/** Those for accounts that anybody makes for nothing. */
const NEWCOMERS = {
  id: "vat_registry:newcomers",
  policy: NEWCOMER_VAT_LOOK_UPS,
};
const REPEATED = {
  id: "vat_registry:repeated",
  policy: REPEATED_VAT_LOOK_UPS,
};
/** The same where a job asks, which knows of no network. */
const LATER = { id: "vat_registry:later", policy: LATER_VAT_LOOK_UPS };

/**
 * The registry as it is asked: so often for an account, so often for a card or a
 * network of accounts that nobody knows better, so often for all that nobody
 * knows yet, so often in all, over every process. It blocks who floods it, and
 * then nobody could be verified. Out of budget is no answer, as an outage is,
 * with when to ask again.
 */
export function budgetedRegistry(
  source: VatSource,
  limiter: Pick<RateLimiter, "takeAll">,
): VatRegistry {
  return {
    read: (text) => source.read(text),
    async check(vatId, asker) {
      const verdict = await takeLookUp(limiter, asker);
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

async function takeLookUp(
  limiter: Pick<RateLimiter, "takeAll">,
  { accountId, isKnown, card, networks }: VatAsker,
): Promise<Verdict> {
  const own = { id: `vat_account:${accountId}`, policy: ACCOUNT_VAT_LOOK_UPS };
  if (isKnown) {
    const ofCard = { id: `vat_card:${card}`, policy: CARD_VAT_LOOK_UPS };
    const charges = card === null ? [own, ALL] : [own, ofCard, ALL];
    return await limiter.takeAll(charges, accountId);
  }
  if (networks.length === 0) {
    return await limiter.takeAll([own, LATER, ALL], accountId);
  }
  const drawer = {
    purpose: "vat_look_up",
    of: [widestOf(networks)],
    asker: accountId,
  } as const;
  const ofNetworks = networkCharges("vat_look_up", networks);
  const { verdict } = await takeFirst(limiter, drawer, (isFirst) => [
    own,
    ...ofNetworks,
    ...isFirst ? [] : [REPEATED],
    NEWCOMERS,
    ALL,
  ]);
  return verdict;
}
