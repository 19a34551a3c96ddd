import { untilDecided } from "../until_decided.ts";
import { listLiveDays } from "../bids/list_live_bids.ts";
import type { Day } from "../day.ts";
import {
  type Answered,
  done,
  findReplay,
  storeAnswer,
} from "../idempotency/answer_once.ts";
import { IDEMPOTENCY_SHORT_MS } from "../idempotency/replay.ts";
import type { Services, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { advance } from "../state_machine.ts";
import type { CreativeRequest } from "./create_creative.ts";
import {
  ARCHIVING_MS,
  type Creative,
  CREATIVE_STATES,
  isArchiving,
} from "./creative.ts";
import { type CreativeRecord, toCreativeRecord } from "./creative_record.ts";
import { saveWithNote } from "./creative_note.ts";
import { ownCreative } from "./own_creative.ts";
import { freeQuota } from "./creative_quota.ts";

/** Which creative is put away. */
export interface ArchiveCreative extends CreativeRequest {
  adId: string;
}

type ArchiveServices = Pick<Services, "store" | "clock" | "ids">;

/**
 * Puts a creative away for good. While a bid stands on it it stays, since its
 * bids would be void without it and a bid can't be withdrawn.
 *
 * Bids are not listed inside a transaction. So an approved creative is closed
 * to new bids first; a bid that was placed before is in the list then, and none
 * comes after without taking the mark away, which fails what was decided behind
 * it. Where a bid stands already it is not closed at all.
 * Decision 0191 says why.
 *
 * @throws {Refused} `creative_not_found`; `creative_refused` while a bid stands
 * on it; `idempotency_conflict`
 */
export async function archiveCreative(
  services: ArchiveServices,
  input: ArchiveCreative,
): Promise<Answered<CreativeRecord>> {
  await refuseWhereBidsStand(services, input);
  return await untilDecided("archive the creative", async () => {
    const mark = services.ids.next("archiving");
    const begun = await begin(services, input, mark);
    if ("answer" in begun) return begun;
    const days = await liveDays(services, input);
    const decided = await decide(services, input, { ...begun, days });
    return decided === "kept" ? refuseLiveBid(input, days) : decided;
  });
}

/** Checks before closing the creative, so that no raise is refused in vain. */
async function refuseWhereBidsStand(
  services: ArchiveServices,
  input: ArchiveCreative,
): Promise<void> {
  const { state } = await ownCreative(services.store, input);
  if (state !== "approved") return;
  const days = await liveDays(services, input);
  if (days.length > 0) refuseLiveBid(input, days);
}

function refuseLiveBid(
  { adId }: ArchiveCreative,
  days: readonly Day[],
): never {
  const why = { kind: "live_bid", adId, days } as const;
  refuse({ code: "creative_refused", why });
}

/** Archives what no bid can stand on, and closes the rest to new bids. */
function begin(
  { store, clock }: ArchiveServices,
  input: ArchiveCreative,
  mark: string,
): Promise<Answered<CreativeRecord> | { mark: string }> {
  return store.transact(async (tx) => {
    const before = await findReplay<CreativeRecord>(tx, input.binding);
    if (before !== null) return before;
    const creative = await ownCreative(tx, input);
    const nowMs = clock.now();
    if (creative.state !== "approved") {
      return await finish(tx, input, creative, nowMs);
    }
    const { archiving } = creative;
    // Another request that archives it relies on the same mark.
    if (archiving && isArchiving(creative, nowMs)) {
      return { mark: archiving.id };
    }
    const untilMs = nowMs + ARCHIVING_MS;
    tx.creatives.save({ ...creative, archiving: { id: mark, untilMs } });
    return { mark };
  });
}

function liveDays(
  services: ArchiveServices,
  { accountId, adId }: ArchiveCreative,
): Promise<Day[]> {
  return listLiveDays(services, { accountId, adId });
}

function decide(
  { store, clock }: ArchiveServices,
  input: ArchiveCreative,
  { mark, days }: { mark: string; days: readonly Day[] },
): Promise<Answered<CreativeRecord> | "kept" | null> {
  return store.transact(async (tx) => {
    const before = await findReplay<CreativeRecord>(tx, input.binding);
    if (before !== null) return before;
    const creative = await ownCreative(tx, input);
    const nowMs = clock.now();
    const { archiving, ...opened } = creative;
    // An approval that was withdrawn meanwhile leaves no bid to be kept for.
    if (creative.state !== "approved") {
      return await finish(tx, input, creative, nowMs);
    }
    if (archiving?.id !== mark) return null;
    if (days.length > 0) {
      tx.creatives.save(opened);
      return "kept";
    }
    return await finish(tx, input, creative, nowMs);
  });
}

/** Archives it; one that is archived is answered as it stands. */
async function finish(
  tx: Transaction,
  { accountId, grantId, binding }: ArchiveCreative,
  creative: Creative,
  nowMs: number,
): Promise<Answered<CreativeRecord>> {
  const keeping = { binding, nowMs, keptMs: IDEMPOTENCY_SHORT_MS };
  if (creative.state === "archived") {
    return storeAnswer(tx, keeping, done(toCreativeRecord(creative)));
  }
  const quota = await tx.creativeShelves.find(accountId);
  if (quota !== null) tx.creativeShelves.save(freeQuota(quota));
  const { archiving: _, ...opened } = creative;
  const archived = saveWithNote(tx, {
    ...opened,
    state: advance(CREATIVE_STATES, creative.state, "archived"),
    updatedAtMs: nowMs,
  }, { event: "archived", by: { kind: "advertiser", grantId }, atMs: nowMs });
  return storeAnswer(tx, keeping, done(toCreativeRecord(archived)));
}
