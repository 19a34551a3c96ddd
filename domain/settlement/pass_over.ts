import { BID_STATUSES } from "../bids/bid.ts";
import { markRefused } from "../cards/mark_refused.ts";
import { recordInvoice } from "../invoices/record_invoice.ts";
import type { ProcessorInvoice } from "../payments/processor.ts";
import type { Transaction } from "../ports.ts";
import { advance } from "../state_machine.ts";
import {
  type CandidateChanges,
  invoiceOwner,
  moveCandidate,
  type Saga,
  type Turn,
} from "./saga.ts";
import type { PassedOverAs, Settlement } from "./settlement.ts";

/**
 * Passes over a candidate whose card was refused, whose payment stayed uncertain
 * or who no longer qualified before it, once nothing at the processor can charge
 * it any more. An account whose card was refused may not bid again until it has
 * another card.
 */
export function passOver(
  saga: Saga,
  turn: Turn,
  note: string | null,
  voided: ProcessorInvoice | null = null,
): Promise<Settlement> {
  const { candidate } = turn;
  const { accountId, paymentMethodId, cardRefused, passedOverAs } = candidate;
  return moveCandidate(saga, turn, async (tx, nowMs) => {
    if (voided !== null) {
      await recordInvoice(tx, voided, invoiceOwner(saga, turn), nowMs);
    }
    const account = await tx.accounts.find(accountId);
    if (account !== null && cardRefused) {
      await markRefused(tx, account, { paymentMethodId, nowMs });
    }
    const text = note ?? candidate.note ?? "the payment was refused";
    return await passedOver(tx, turn, passedOverAs ?? "payment_failed", text);
  });
}

/** Ends the bid in the caller's commit, and says how that changes the candidate. */
export async function passedOver(
  tx: Transaction,
  { settlement: { day }, candidate: { bidId, accountId } }: Turn,
  as: PassedOverAs,
  note: string,
): Promise<CandidateChanges> {
  const bid = await tx.bids.find(day, accountId);
  // Whatever became of the bid meanwhile, the day goes on without it.
  if (bid?.id === bidId && bid.status === "active") {
    advance(BID_STATUSES, bid.status, as);
    tx.bids.save({ ...bid, status: as });
  }
  return { step: "passed_over", passedOverAs: as, note };
}
