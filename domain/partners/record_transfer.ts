/**
 * What the processor's transfer does to a payout, its partner's balance and the
 * books, in one commit.
 *
 * @module
 */
import { noteEvents } from "../events/note_events.ts";
import { bookEntry, reversed } from "../ledger/book_entry.ts";
import {
  payoutEntryId,
  payoutMovement,
  payoutReversalEntryId,
} from "../ledger/commission.ts";
import type { ProcessorTransfer } from "../payments/processor_partners.ts";
import type { Transaction } from "../ports.ts";
import type { Payout } from "./payout.ts";
import {
  type PaidOut,
  withPaidPayout,
  withReturnedPayout,
  withTransfer,
} from "./payout_balance.ts";

/**
 * Books a transfer of a payout, if it is not booked yet, and all that came back
 * of it since it was last looked at. The balance is saved here; the payout is
 * the caller's to save.
 *
 * @returns the payout as it now stands; null when nothing has changed, and for a
 * transfer that is not the payout's, which the nightly comparison reports
 */
export async function recordTransfer(
  tx: Transaction,
  before: PaidOut,
  transfer: ProcessorTransfer,
  nowMs: number,
): Promise<Payout | null> {
  const { payout } = before;
  const isNew = payout.state === "requested" || payout.state === "sending";
  if (!isNew && payout.transferId !== transfer.id) return null;
  const paid = isNew ? bookTransfer(tx, before, transfer, nowMs) : before;
  const after = bookReversals(tx, paid, transfer, nowMs);
  if (after === before) return null;
  tx.partnerBalances.save(after.balance);
  if (isNew) {
    const data = { payout_id: payout.id };
    const { paidAtMs: atMs } = after.payout;
    const fact = { type: "payout.paid", data, atMs } as const;
    await noteEvents(tx, payout.partnerId, [fact], nowMs);
  }
  return after.payout;
}

function bookTransfer(
  tx: Transaction,
  before: PaidOut,
  { id, amountCents, createdAtMs }: ProcessorTransfer,
  nowMs: number,
): PaidOut {
  const { balance, payout } = withPaidPayout(withTransfer(before, amountCents));
  bookEntry(tx, {
    id: payoutEntryId(id),
    atMs: nowMs,
    kind: "payout",
    paymentId: id,
    movement: payoutMovement(amountCents),
  });
  const paid = { transferId: id, paidAtMs: createdAtMs, trouble: null };
  return { balance, payout: { ...payout, ...paid } };
}

/** What was booked before is counted off, oldest first. */
function bookReversals(
  tx: Transaction,
  before: PaidOut,
  { id: transferId, reversals }: ProcessorTransfer,
  nowMs: number,
): PaidOut {
  let now = before;
  let returnedCents = 0;
  for (const { id, amountCents } of reversals) {
    returnedCents += amountCents;
    if (returnedCents <= now.payout.returnedCents) continue;
    now = withReturnedPayout(now, returnedCents);
    bookEntry(tx, {
      id: payoutReversalEntryId(id),
      atMs: nowMs,
      kind: "payout",
      paymentId: transferId,
      movement: reversed(payoutMovement(amountCents)),
    });
  }
  return now;
}
