import { BID_STATUSES } from "../bids/bid.ts";
import { markRefused } from "../cards/mark_refused.ts";
import { recordInvoice } from "../invoices/record_invoice.ts";
import type { ProcessorInvoice } from "../payments/processor.ts";
import type { Transaction } from "../ports.ts";
import { advance } from "../state_machine.ts";
import type { PassedOverAs, Settlement } from "./settlement.ts";
import {
  invoiceOwner,
  leasedSettlement,
  type Saga,
  type Turn,
  withCandidate,
} from "./saga.ts";

/** Passes over a candidate who became ineligible, inside the re-check. */
export function voidBid(
  saga: Saga,
  tx: Transaction,
  settlement: Settlement,
  turn: Turn,
  note: string,
): Promise<Settlement> {
  return writePassedOver(saga, tx, settlement, turn, "void", note);
}

/**
 * Passes over a candidate whose card was refused, whose payment stayed uncertain
 * or who became ineligible before it, once nothing at the processor can charge it any more. An account
 * whose card was refused may not bid again until the card is mended.
 */
export function passOver(
  saga: Saga,
  turn: Turn,
  note: string | null,
  voided: ProcessorInvoice | null = null,
): Promise<Settlement> {
  const { store, clock } = saga.services;
  return store.transact(async (tx) => {
    const settlement = await leasedSettlement(saga, tx);
    if (voided !== null) {
      await recordInvoice(tx, voided, invoiceOwner(saga, turn), clock.now());
    }
    const account = await tx.accounts.find(turn.candidate.accountId);
    if (account !== null && turn.candidate.cardRefused) {
      const { paymentMethodId } = turn.candidate;
      const nowMs = saga.services.clock.now();
      await markRefused(tx, account, { paymentMethodId, nowMs });
    }
    const text = note ?? turn.candidate.note ?? "the payment was refused";
    return await writePassedOver(
      saga,
      tx,
      settlement,
      turn,
      turn.candidate.passedOverAs ?? "payment_failed",
      text,
    );
  });
}

async function writePassedOver(
  saga: Saga,
  tx: Transaction,
  settlement: Settlement,
  turn: Turn,
  as: PassedOverAs,
  note: string,
): Promise<Settlement> {
  const { bidId, accountId } = turn.candidate;
  const bid = await tx.bids.find(saga.day, accountId);
  // Whatever became of the bid meanwhile, the day goes on without it.
  if (bid?.id === bidId && bid.status === "active") {
    advance(BID_STATUSES, bid.status, as);
    tx.bids.save({ ...bid, status: as });
  }
  const moved = withCandidate(settlement, turn, {
    step: "passed_over",
    passedOverAs: as,
    note,
  }, saga.services.clock.now());
  tx.settlements.save(moved);
  return moved;
}
