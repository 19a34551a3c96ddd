import type { Account } from "../accounts/account.ts";
import type { Invoice } from "../invoices/invoice.ts";
import { bringsCommission } from "./referral.ts";

/**
 * The invoice with the partner that it brings commission, if it does: from the
 * commit that saves it on, its commission is due. What that comes to is counted
 * in a commit of its own, so that it holds up no settlement.
 */
export function withPartner(
  invoice: Invoice,
  account: Pick<Account, "referral"> | null,
): Invoice {
  const referral = account?.referral;
  const { paidAtMs } = invoice;
  if (referral === undefined || paidAtMs === null) return invoice;
  if (!bringsCommission(referral, paidAtMs)) return invoice;
  const { partnerId } = referral;
  return { ...invoice, commission: { partnerId, countedCents: 0 } };
}
