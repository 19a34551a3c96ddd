import { dayOf } from "../day.ts";
import { type Answered, commitOnce, made } from "../idempotency/answer_once.ts";
import type { Binding } from "../idempotency/replay.ts";
import type { Services, Store, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { Copy, Creative } from "./creative.ts";
import { saveWithNote } from "./creative_note.ts";
import { type CreativeRecord, toCreativeRecord } from "./creative_record.ts";
import { fieldProblems } from "./creative_refusal.ts";
import { readCopy } from "./read_copy.ts";
import {
  type CreativeQuota,
  CREATIVES_A_DAY,
  CREATIVES_KEPT_MAX,
  useQuota,
} from "./creative_quota.ts";

/** Whose creative it is, and by which request something is done with it. */
export interface CreativeRequest {
  accountId: string;
  /** The grant of the agent that asks; null in the browser. */
  grantId: string | null;
  /** Null for a request that is not to be repeatable. */
  binding: Binding | null;
}

/** A new creative as an advertiser wrote it. */
export interface CreateCreative extends CreativeRequest {
  typed: Copy;
}

/**
 * Makes a draft. 201 with the creative.
 *
 * @throws {Refused} `creative_refused` for copy that is not plain, and when the
 * account has or made too many; `idempotency_conflict`
 */
export async function createCreative(
  services: Pick<Services, "store" | "clock" | "ids">,
  { typed, binding, ...owner }: CreateCreative,
): Promise<Answered<CreativeRecord>> {
  const { store, ids } = services;
  const copy = readCopyOrRefuse(typed);
  const adId = ids.next("ad"); // outside: attempts share it
  const counted = await countUncounted(store, owner.accountId);
  return commitOnce(services, binding, async (tx, nowMs) => {
    const draft = { ...copy, adId };
    const drafting = { ...owner, counted };
    return made(
      toCreativeRecord(await saveDraft(tx, draft, drafting, nowMs)),
    );
  });
}

/**
 * Copy as it is kept.
 *
 * @throws {Refused} `creative_refused` with every problem of it
 */
export function readCopyOrRefuse(typed: Copy): Copy {
  const reading = readCopy(typed);
  if (reading.ok) return reading.copy;
  const problems = fieldProblems(reading.problems);
  refuse({ code: "creative_refused", why: { kind: "bad_copy", problems } });
}

/** Creatives on a quota that nobody has counted yet; 0 where one is kept. */
export async function countUncounted(
  store: Store,
  accountId: string,
): Promise<number> {
  if (await store.creativeShelves.find(accountId) !== null) return 0;
  const all = await store.listCreatives(accountId, {
    limit: CREATIVES_KEPT_MAX,
  });
  return all.filter(({ state }) => state !== "archived").length;
}

/**
 * Puts a draft on its owner's quota, in the caller's commit.
 *
 * @throws {Refused} `creative_refused` when there is no room
 */
export async function saveDraft(
  tx: Transaction,
  copy: Copy & { adId: string; revises?: string },
  owner: { accountId: string; grantId: string | null; counted: number },
  nowMs: number,
): Promise<Creative> {
  const { accountId, grantId, counted } = owner;
  const today = dayOf(nowMs);
  const quota: CreativeQuota = await tx.creativeShelves.find(accountId) ??
    { accountId, kept: counted, day: today, made: 0 };
  const placing = useQuota(quota, today);
  if (!placing.ok) {
    const { bound } = placing;
    const most = bound === "kept" ? CREATIVES_KEPT_MAX : CREATIVES_A_DAY;
    const why = { kind: "shelf_full", bound, most } as const;
    refuse({ code: "creative_refused", why });
  }
  tx.creativeShelves.save(placing.quota);
  return saveWithNote(tx, {
    ...copy,
    accountId,
    state: "draft",
    createdAtMs: nowMs,
  }, { event: "created", by: { kind: "advertiser", grantId }, atMs: nowMs });
}
