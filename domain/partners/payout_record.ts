import { isoOrNull, isoTime } from "../day.ts";
import type { Payout } from "./payout.ts";

/** How a payout stands, for whom it is. */
export type PayoutStatus =
  | "requested"
  | "paid"
  | "failed"
  | "canceled"
  | "returned";

/** A payout as its partner is told of it. */
export interface PayoutRecord {
  id: string;
  status: PayoutStatus;
  amount_cents: number;
  currency: "EUR";
  requested_at: string;
  paid_at: string | null;
}

/** A payout as it goes over the wire: what is being sent was asked for. */
export function payoutRecord(payout: Payout): PayoutRecord {
  const { id, state, amountCents, requestedAtMs, paidAtMs } = payout;
  return {
    id,
    status: state === "sending" ? "requested" : state,
    amount_cents: amountCents,
    currency: "EUR",
    requested_at: isoTime(requestedAtMs),
    paid_at: isoOrNull(paidAtMs),
  };
}
