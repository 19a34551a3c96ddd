/**
 * What tests of creatives do again and again, over advertisers who may bid.
 *
 * @module
 */
import { archiveCreative } from "../../../domain/creatives/archive_creative.ts";
import { createCreative } from "../../../domain/creatives/create_creative.ts";
import type { Copy, Creative } from "../../../domain/creatives/creative.ts";
import type {
  CreativeNote,
  Reviewer,
} from "../../../domain/creatives/creative_note.ts";
import { submitCreative } from "../../../domain/creatives/submit_creative.ts";
import { updateCreative } from "../../../domain/creatives/update_creative.ts";
import type { CreativeRecord } from "../../../domain/creatives/creative_record.ts";
import type { Answered } from "../../../domain/idempotency/answer_once.ts";
import type { Services } from "../../../domain/ports.ts";
import type { Agent, BiddingWorld } from "../../support/bidding_world.ts";

/** Copy that is fine. */
export const COPY: Copy = {
  headline: "Bread by bicycle",
  description: "Warm loaves at your door before eight, every day.",
  targetUrl: "https://bakery.example/",
};

/** Who decides in these tests. */
export const DESK: Reviewer = { kind: "operator", accountId: "acc_operator" };

/** A rejection with the policy's own remedy. */
export const DECEPTIVE = {
  policyId: "deceptive",
  message: "The page shows no such price.",
  remedy: "",
};

/** The verbs of one advertiser. */
export function verbsOf(services: Services, { account, grant }: Agent) {
  const asked = (key: string | null) => ({
    accountId: account.id,
    grantId: grant.id,
    binding: key === null
      ? null
      : { owner: grant.id, operation: "test", key, requestHash: "h" },
  });
  return {
    create: (typed: Partial<Copy> = {}, key: string | null = null) =>
      createCreative(services, { ...asked(key), typed: { ...COPY, ...typed } }),
    update: (
      adId: string,
      typed: Partial<Copy>,
      key: string | null = null,
    ) => updateCreative(services, { ...asked(key), adId, typed }),
    submit: (adId: string, key: string | null = null) =>
      submitCreative(services, { ...asked(key), adId }),
    archive: (adId: string, key: string | null = null) =>
      archiveCreative(services, { ...asked(key), adId }),
  };
}

/** The id of the creative that was answered. */
export function adIdOf({ value }: Answered<CreativeRecord>): string {
  return value.ad_id;
}

/** Makes and submits a creative; answers its id. */
export async function submitted(
  services: Services,
  agent: Agent,
): Promise<string> {
  const verbs = verbsOf(services, agent);
  const adId = adIdOf(await verbs.create());
  await verbs.submit(adId);
  return adId;
}

/** The creative as it is kept. */
export async function stored(
  { services }: BiddingWorld,
  { account }: Agent,
  adId: string,
): Promise<Creative> {
  const found = await services.store.creatives.find(account.id, adId);
  if (found === null) throw new Error(`There is no creative ${adId}`);
  return found;
}

/** The history of a creative. */
export function notesOf(
  { services }: BiddingWorld,
  adId: string,
): Promise<CreativeNote[]> {
  return services.store.listCreativeNotes(adId, { limit: 99 });
}
