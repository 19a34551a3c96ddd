/** Disputes as the store has them, for tests of what is shown of them. */
import type { Dispute } from "../../domain/disputes/dispute.ts";

/** A dispute that was lost, of no account's payment, with what differs from it. */
export function lostDispute(changes: Partial<Dispute> = {}): Dispute {
  return {
    id: "du_1",
    state: "lost",
    amountCents: 5_000,
    paymentId: "pi_1",
    accountId: null,
    invoiceId: null,
    reason: "fraudulent",
    openedAtMs: 1,
    evidenceDueAtMs: null,
    heldCents: 0,
    lostCents: 5_000,
    dueCents: 0,
    movementIds: [],
    moves: 1,
    ...changes,
  };
}
