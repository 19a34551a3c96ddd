import { AD_ID_SHAPE } from "../limits.ts";
import type { Services, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { Creative } from "./creative.ts";
import type { CreativeAction } from "./creative_refusal.ts";

/** Whose creative is wanted. */
export interface FindOwnCreative {
  accountId: string;
  adId: string;
}

/**
 * One of an account's own creatives.
 *
 * @throws {Refused} `creative_not_found`; another account's is as good as none
 */
export async function findOwnCreative(
  { store }: Pick<Services, "store">,
  { accountId, adId }: FindOwnCreative,
): Promise<Creative> {
  // No other text is an id of ours, or is to become part of a key.
  const found = AD_ID_SHAPE.test(adId)
    ? await store.creatives.find(accountId, adId)
    : null;
  return found ?? refuseUnknownCreative(adId);
}

/**
 * The same inside a transaction, its read a check of the commit.
 *
 * @throws {Refused} `creative_not_found`
 */
export async function ownCreative(
  tx: Pick<Transaction, "creatives">,
  { accountId, adId }: FindOwnCreative,
): Promise<Creative> {
  const found = AD_ID_SHAPE.test(adId)
    ? await tx.creatives.find(accountId, adId)
    : null;
  return found ?? refuseUnknownCreative(adId);
}

/** Ends the request for a creative that is not there, or not one's own. */
export function refuseUnknownCreative(adId: string): never {
  refuse({ code: "creative_not_found", adId: adId.slice(0, 64) });
}

/** Ends the request for something that a creative's state does not allow. */
export function refuseInState(
  { adId, state }: Creative,
  action: CreativeAction,
): never {
  const why = { kind: "wrong_state", adId, action, state } as const;
  refuse({ code: "creative_refused", why });
}
