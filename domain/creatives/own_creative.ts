import { AD_ID_SHAPE } from "../limits.ts";
import { refuse } from "../refusal.ts";
import type { ReadTable } from "../tables.ts";
import type { Creative } from "./creative.ts";
import type { CreativeAction } from "./creative_refusal.ts";

/**
 * One of an account's own creatives, read from the store or as a check of a
 * commit.
 *
 * @throws {Refused} `creative_not_found`; another account's is as good as none
 */
export async function ownCreative(
  { creatives }: {
    creatives: ReadTable<Creative, [accountId: string, adId: string]>;
  },
  { accountId, adId }: { accountId: string; adId: string },
): Promise<Creative> {
  // No other text is an id of ours, or is to become part of a key.
  const found = AD_ID_SHAPE.test(adId)
    ? await creatives.find(accountId, adId)
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
