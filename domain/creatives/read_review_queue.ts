import type { Account } from "../accounts/account.ts";
import { waitingRename } from "../accounts/rename.ts";
import { AD_ID_SHAPE } from "../limits.ts";
import type { Services } from "../ports.ts";
import { readAll } from "../read_all.ts";
import { advertiserOf } from "./advertiser_name.ts";
import { invariant } from "../invariant.ts";
import type { Creative, ReviewPlace } from "./creative.ts";
import type { CreativeNote } from "./creative_note.ts";
import { refuseUnknownCreative } from "./own_creative.ts";

/** Creatives that the desk shows at once. */
export const REVIEW_QUEUE_MAX = 50;
/** Creatives of an advertiser that are looked through for decisions. */
const EARLIER_MAX = 20;
/** Lines of a history; its states allow a few only. */
const NOTES_MAX = 20;

/** A creative as the desk sees it. */
export interface ReviewedCreative {
  creative: Creative;
  /** The name that readers see, or would see; empty before onboarding. */
  advertiser: string;
  /** Another name that waits for an operator; null for none. */
  requestedName: string | null;
}

/** The same with all that is known of it. */
export interface CreativeForReview extends ReviewedCreative {
  /** The creative that it is a new version of; null for none. */
  revised: Creative | null;
  /** Others of its advertiser that were decided about, the newest first. */
  earlier: readonly Creative[];
  notes: readonly CreativeNote[];
}

/** Its place among those that wait for a decision, of which it is one. */
export function reviewPlace(
  { creative: { adId, submittedAtMs } }: ReviewedCreative,
): ReviewPlace {
  invariant(submittedAtMs !== undefined, "a creative that waits was submitted");
  return { submittedAtMs, adId };
}

/** The creatives that wait for a decision, longest waiting first. */
export async function readReviewQueue(
  { store }: Pick<Services, "store">,
  part: { limit: number; after: ReviewPlace | null },
): Promise<ReviewedCreative[]> {
  const creatives = await store.listSubmittedCreatives(part);
  const owners = await readAll(
    store,
    creatives.map(({ accountId }) => store.accounts.ref(accountId)),
  );
  return creatives.map((creative, at) => ({
    creative,
    ...namesOf(creative, owners[at] ?? null),
  }));
}

/**
 * One creative with its history, whoever owns it.
 *
 * @throws {Refused} `creative_not_found`
 */
export async function readCreativeForReview(
  { store }: Pick<Services, "store">,
  { adId }: { adId: string },
): Promise<CreativeForReview> {
  if (!AD_ID_SHAPE.test(adId)) refuseUnknownCreative(adId);
  const owner = await store.creativeOwners.find(adId);
  if (owner === null) refuseUnknownCreative(adId);
  const [creative, account] = await store.getMany([
    store.creatives.ref(owner.accountId, adId),
    store.accounts.ref(owner.accountId),
  ]);
  if (creative === null) refuseUnknownCreative(adId);
  const { revises } = creative;
  const [revised, notes, others] = await Promise.all([
    revises === undefined
      ? null
      : store.creatives.find(owner.accountId, revises),
    store.listCreativeNotes(adId, { limit: NOTES_MAX }),
    store.listNewestCreatives(owner.accountId, {
      limit: EARLIER_MAX,
      before: null,
    }),
  ]);
  const earlier = others.filter((other) =>
    other.adId !== adId && other.reviewedAtMs !== undefined
  );
  return { creative, ...namesOf(creative, account), revised, earlier, notes };
}

/** The ads before and behind one in the queue, by their ids. */
export async function readNeighbours(
  { store }: Pick<Services, "store">,
  { adId }: { adId: string },
): Promise<{ before: string | null; next: string | null }> {
  const limit = REVIEW_QUEUE_MAX;
  const waiting = await store.listSubmittedCreatives({ limit });
  const at = waiting.findIndex((creative) => creative.adId === adId);
  if (at < 0) return { before: null, next: waiting[0]?.adId ?? null };
  return {
    before: waiting[at - 1]?.adId ?? null,
    next: waiting[at + 1]?.adId ?? null,
  };
}

function namesOf(
  creative: Creative,
  account: Account | null,
): Pick<ReviewedCreative, "advertiser" | "requestedName"> {
  if (account === null) return { advertiser: "", requestedName: null };
  return {
    advertiser: advertiserOf(creative, account),
    requestedName: waitingRename(account)?.name ?? null,
  };
}
