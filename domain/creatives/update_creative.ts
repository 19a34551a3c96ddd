import {
  type Answered,
  commitOnce,
  done,
  made,
} from "../idempotency/answer_once.ts";
import type { Services } from "../ports.ts";
import {
  countUncounted,
  type CreativeRequest,
  readCopyOrRefuse,
  saveDraft,
} from "./create_creative.ts";
import type { Copy } from "./creative.ts";
import { type CreativeRecord, toCreativeRecord } from "./creative_record.ts";
import { ownCreative, refuseInState } from "./own_creative.ts";

/** What is to be changed of which creative. */
export interface UpdateCreative extends CreativeRequest {
  adId: string;
  /** What is left out stays as it is. */
  typed: Partial<Copy>;
}

/**
 * Changes a draft: 200. Of an approved or rejected creative, which never
 * change, it makes a new draft with an id of its own: 201. The approved one
 * stands until its owner archives it, since bids may stand on it; each says
 * which is its newest version. Decision 0191 says why.
 *
 * @throws {Refused} `creative_not_found`; `creative_refused` for copy that is
 * not plain, for a creative under review or archived, and when the account has
 * or made too many; `idempotency_conflict`
 */
export async function updateCreative(
  services: Pick<Services, "store" | "clock" | "ids">,
  { adId, typed, binding, ...owner }: UpdateCreative,
): Promise<Answered<CreativeRecord>> {
  const { store, ids } = services;
  const newId = ids.next("ad"); // outside: attempts share it
  const counted = await countUncounted(store, owner.accountId);
  return commitOnce(services, binding, async (tx, nowMs) => {
    const creative = await ownCreative(tx, { ...owner, adId });
    const { state } = creative;
    if (state === "submitted" || state === "archived") {
      refuseInState(creative, "update");
    }
    const copy = readCopyOrRefuse({ ...copyOf(creative), ...typed });
    if (state === "draft") {
      const changed = { ...creative, ...copy, updatedAtMs: nowMs };
      tx.creatives.save(changed);
      return done(toCreativeRecord(changed));
    }
    const version = { ...copy, adId: newId, revises: adId };
    const drafting = { ...owner, counted };
    const draft = await saveDraft(tx, version, drafting, nowMs);
    tx.creatives.save({ ...creative, revisedBy: newId });
    return made(toCreativeRecord(draft));
  });
}

function copyOf({ headline, description, targetUrl }: Copy): Copy {
  return { headline, description, targetUrl };
}
