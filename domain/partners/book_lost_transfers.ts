import { DAY_MS } from "../day.ts";
import { ProcessorUncertain } from "../failure.ts";
import type { Hold } from "../hold/hold.ts";
import { readUpTo } from "../payments/read_up_to.ts";
import type { Services } from "../ports.ts";
import { syncTransfer } from "./sync_transfer.ts";

/** Transfers that are read of the time between a backup and its release. */
const READ_MAX = 2_000;
/** Of a backup that does not say when it was made, so much is looked at. */
const UNKNOWN_AGE_MS = 60 * DAY_MS;
/** Clocks differ. */
const MARGIN_MS = DAY_MS;

/**
 * Books what a partner was paid between the backup of a restored store and its
 * release, and this store does not know. The release books what it names, which
 * is not all where there is more than it reads: asked before money leaves, the
 * processor leaves nothing out. A store that was never restored asks nothing.
 *
 * @throws {ProcessorUncertain} when the processor does not say, or has more than
 * can be read: then nothing may be sent
 */
export async function bookLostTransfers(
  services: Services,
  partnerId: string,
): Promise<void> {
  const { store, processor } = services;
  const hold = await store.holds.find();
  if (hold === null) return;
  const span = spanOf(hold, services.clock.now());
  const read = await readUpTo(
    READ_MAX,
    (cursor, limit) => processor.listTransfers(span, cursor, limit),
  );
  if (read.isCut) throw new ProcessorUncertain("There are too many transfers");
  // Oldest first, as they were made.
  for (const { id, metadata } of read.items.toReversed()) {
    const { account_id: ownerId, payout_id: payoutId = "" } = metadata;
    if (ownerId !== partnerId) continue;
    const payout = await store.payouts.find(payoutId);
    if (payout === null || payout.transferId === null) {
      await syncTransfer(services, id);
    }
  }
}

function spanOf(
  { backupAtMs, restoredAtMs, releasedAtMs }: Hold,
  nowMs: number,
): { from: number; until: number } {
  const from = backupAtMs ?? restoredAtMs - UNKNOWN_AGE_MS;
  return {
    from: from - MARGIN_MS,
    until: (releasedAtMs ?? nowMs) + MARGIN_MS,
  };
}
