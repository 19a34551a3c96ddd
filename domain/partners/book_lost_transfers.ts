import { DAY_MS } from "../day.ts";
import { ProcessorUncertain } from "../failure.ts";
import { type LostTime, lostTimesOf } from "../hold/hold.ts";
import { readUpTo } from "../payments/read_up_to.ts";
import type { Services } from "../ports.ts";
import { syncTransfer } from "./sync_transfer.ts";

/** Transfers that are read of the time between a backup and its release. */
const READ_MAX = 2_000;
/** Clocks differ. */
const MARGIN_MS = DAY_MS;

/**
 * Books what a partner was paid between the backup of a restored store and its
 * release, and this store does not know, and the same of every restore before
 * that one. A release books what it names, which is not all where there is more
 * than it reads: asked before money leaves, the processor leaves nothing out. A
 * store that was never restored asks nothing.
 *
 * @throws {ProcessorUncertain} when the processor does not say, or has more than
 * can be read: then nothing may be sent
 */
export async function bookLostTransfers(
  services: Services,
  partnerId: string,
): Promise<void> {
  const { store, clock } = services;
  const hold = await store.holds.find();
  if (hold === null) return;
  for (const lost of lostTimesOf(hold, clock.now())) {
    await bookTransfersOf(services, partnerId, lost);
  }
}

async function bookTransfersOf(
  services: Services,
  partnerId: string,
  { fromMs, untilMs }: LostTime,
): Promise<void> {
  const { store, processor } = services;
  const span = { from: fromMs - MARGIN_MS, until: untilMs + MARGIN_MS };
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
