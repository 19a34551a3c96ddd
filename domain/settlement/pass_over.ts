import { BID_STATUSES } from "../bids/bid.ts";
import { markRefused } from "../cards/mark_refused.ts";
import type { EventFact } from "../events/event.ts";
import { noteEvents } from "../events/note_events.ts";
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
    const isRefused = account !== null && cardRefused;
    if (isRefused) await markRefused(tx, account, { paymentMethodId, nowMs });
    return await passedOver(tx, turn, {
      as: passedOverAs ?? "payment_failed",
      note: note ?? candidate.note ?? "the payment was refused",
      besides: isRefused ? [refusedFact(paymentMethodId)] : [],
      nowMs,
    });
  });
}

/** Why and how a candidate is passed over. */
interface PassingOver {
  as: PassedOverAs;
  note: string;
  /** What agents are told beside the end of the bid. */
  besides?: readonly EventFact[];
  nowMs: number;
}

/** Ends the bid in the caller's commit, and says how that changes the candidate. */
export async function passedOver(
  tx: Transaction,
  { settlement: { day }, candidate: { bidId, accountId } }: Turn,
  { as, note, besides = [], nowMs }: PassingOver,
): Promise<CandidateChanges> {
  const bid = await tx.bids.find(day, accountId);
  const facts = [...besides];
  // Whatever became of the bid meanwhile, the day goes on without it.
  if (bid?.id === bidId && bid.status === "active") {
    advance(BID_STATUSES, bid.status, as);
    tx.bids.save({ ...bid, status: as });
    const data = { day, bid_id: bidId, ad_id: bid.adId };
    facts.push({ type: `bid.${as}`, data });
  }
  await noteEvents(tx, accountId, facts, nowMs);
  return { step: "passed_over", passedOverAs: as, note };
}

function refusedFact(payment_method_id: string): EventFact {
  return { type: "payment_method.refused", data: { payment_method_id } };
}
