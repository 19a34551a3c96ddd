import type { ProcessorDispute } from "../payments/processor_disputes.ts";
import { readUpTo } from "../payments/read_up_to.ts";
import type { Services } from "../ports.ts";
import { readAll } from "../read_all.ts";
import { type Dispute, isLost } from "./dispute.ts";
import { syncDispute } from "./sync_dispute.ts";
import { isUnmarked, markLostDisputes } from "./mark_lost.ts";

/** A bank decides most disputes within this time. */
const LOOKED_BACK_MS = 180 * 86_400_000;

/** Most that one sweep reads and syncs; tests choose less. */
export interface SweepBounds {
  /** Of the processor's list, newest first. */
  listed: number;
  /** Of our own that are not decided, longest open first. */
  undecided: number;
  /** At the processor, one by one. */
  looks: number;
}

/** What the service sweeps. */
export const SWEEP_BOUNDS: SweepBounds = {
  listed: 20_000,
  undecided: 1_000,
  looks: 1_000,
};

/** What a sweep came to. */
export interface SweptDisputes {
  /** There was more than one sweep reads or syncs; the next goes on. */
  isCut: boolean;
}

/**
 * Syncs every dispute whose state at the processor is another than here, and
 * those of ours that are not decided and too old for its list: what a lost
 * notification would have led to. One that can't be synced keeps no other
 * waiting: what it moved stays a difference.
 *
 * @throws {ProcessorUncertain} when the processor does not list them
 */
export async function sweepDisputes(
  services: Services,
  bounds: SweepBounds = SWEEP_BOUNDS,
): Promise<SweptDisputes> {
  const { store, processor, clock } = services;
  const until = clock.now();
  const span = { from: until - LOOKED_BACK_MS, until };
  const listed = await readUpTo(
    bounds.listed,
    (cursor, limit) => processor.listDisputes(span, cursor, limit),
  );
  const undecided = await store.listUndecidedDisputes({
    limit: bounds.undecided,
  });
  const inList = new Set(listed.items.map(({ id }) => id));
  const moved = [
    ...await movedOf(services, listed.items),
    // Last, since nobody knows whether they moved.
    ...undecided.map(({ id }) => id).filter((id) => !inList.has(id)),
  ];
  const looked = moved.slice(0, bounds.looks);
  for (const id of looked) await syncOrLog(services, id);
  const isCut = listed.isCut || undecided.length >= bounds.undecided ||
    looked.length < moved.length;
  if (isCut) services.log.error("disputes.not_all_swept", {});
  return { isCut };
}

/** Those whose state or movements at the processor differ from ours, by id. */
async function movedOf(
  services: Services,
  listed: readonly ProcessorDispute[],
): Promise<string[]> {
  const { store } = services;
  const refs = listed.map(({ id }) => store.disputes.ref(id));
  const known = await readAll(store, refs);
  await markLost(services, known);
  return listed.filter((found, nth) => !isKnown(found, known[nth] ?? null))
    .map(({ id }) => id);
}

/** Marks accounts that were blocked before lost disputes had marks. */
async function markLost(
  services: Services,
  known: readonly (Dispute | null)[],
): Promise<void> {
  const lost = known.flatMap((dispute) => {
    if (dispute === null || !isLost(dispute)) return [];
    const { id, accountId } = dispute;
    return accountId === null ? [] : [{ id, accountId }];
  });
  const { store } = services;
  const accounts = await readAll(
    store,
    lost.map(({ accountId }) => store.accounts.ref(accountId)),
  );
  for (const [nth, { id, accountId }] of lost.entries()) {
    const account = accounts[nth] ?? null;
    if (account !== null && isUnmarked(account, id)) {
      await markLostDisputes(services, accountId);
    }
  }
}

function isKnown(
  { standing, movements }: ProcessorDispute,
  known: Dispute | null,
): boolean {
  return known?.state === standing &&
    movements.every(({ id }) => known.movementIds.includes(id));
}

async function syncOrLog(services: Services, id: string): Promise<void> {
  try {
    await syncDispute(services, id);
  } catch (error) {
    const fields = { dispute: id, error: String(error) };
    services.log.error("dispute.sync_failed", fields);
  }
}
