import { type Invoice } from "../../domain/invoices/invoice.ts";
import type { Transaction } from "../../domain/ports.ts";
import {
  type Candidate,
  newCandidate,
  type Settlement,
} from "../../domain/settlement/settlement.ts";

/** The candidate whose bid an invoice is for. */
export function candidateOf(
  { id: invoiceId, bidId, accountId, day, totalCents }: Invoice,
): Candidate {
  const bid = {
    id: bidId,
    accountId,
    day,
    adId: "ad_1",
    amountCents: totalCents,
    paymentMethodId: "pm_1",
    status: "active" as const,
    placedAtMs: 0,
    grantId: null,
  };
  return { ...newCandidate(bid, 0), invoiceId };
}

/** Writes the settlement of a day on which these were tried. */
export function saveTried(
  tx: Pick<Transaction, "settlements">,
  settlement: Pick<Settlement, "day" | "state" | "candidates">,
): void {
  tx.settlements.save({
    createdAtMs: 0,
    dueAtMs: 0,
    attempts: 0,
    leaseOwner: null,
    leaseUntilMs: 0,
    ...settlement,
  });
}
