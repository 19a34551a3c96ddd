import type { TransitionTable } from "../../domain/state_machine.ts";
import type { Commission } from "../../domain/partners/commission.ts";
import type { Month } from "../../domain/month.ts";
import type { PartnerBalance } from "../../domain/partners/partner_balance.ts";

/** How far a commission has come. */
export type CommissionState =
  /** For 30 days at least, and until it is in a statement. */
  | "pending"
  | "payable"
  /** In a payout that was asked for. */
  | "requested"
  | "paid"
  /** The invoice's money went back, or a bank holds it. */
  | "reversed";

/** The way of a commission. A payout that fails or comes back is payable again. */
export const COMMISSION_STATES: TransitionTable<CommissionState> = {
  pending: ["payable", "reversed"],
  payable: ["requested", "reversed"],
  requested: ["paid", "payable", "reversed"],
  paid: ["payable", "reversed"],
  // A dispute may be won.
  reversed: ["pending"],
};

/**
 * How far the commission has come. Statements and payouts take whole months, in
 * their order, so no commission has to be written when one of them does.
 */
export function commissionState(
  { amountCents, month }: Pick<Commission, "amountCents" | "month">,
  balance: Pick<
    PartnerBalance,
    "releasedThrough" | "requestedThrough" | "paidThrough"
  >,
): CommissionState {
  const isIn = (through: Month | null) => through !== null && month <= through;
  if (amountCents === 0) return "reversed";
  if (isIn(balance.paidThrough)) return "paid";
  if (isIn(balance.requestedThrough)) return "requested";
  return isIn(balance.releasedThrough) ? "payable" : "pending";
}
