/**
 * What a partner earns of one invoice.
 *
 * @module
 */
import type { Account } from "../accounts/account.ts";
import type { Invoice } from "../invoices/invoice.ts";
import { heldOf } from "../payments/returned.ts";
import { COMMISSION_PERCENT } from "./limits.ts";
import type { Month } from "../month.ts";
import { bringsCommission } from "./referral.ts";

/** A partner's share of one invoice: one an invoice, for ever. */
export interface Commission {
  invoiceId: string;
  partnerId: string;
  /** The advertiser whose invoice it is. */
  accountId: string;
  /** The payment of the invoice, by which its entries in the books are found. */
  paymentId: string | null;
  /** What it comes to now, cents; 0 once it is reversed. */
  amountCents: number;
  /** The month in whose statement it is, or will be. */
  month: Month;
  /** The month in which it was last counted as an invoice. */
  countedIn: Month | null;
  createdAtMs: number;
  /** How often its amount changed: numbers its entries in the books. */
  changes: number;
}

/**
 * The net amount of an invoice that commission is paid of, cents: what we hold
 * of its money without VAT. Nothing once it is to be given back, and nothing of
 * what a bank holds or took.
 */
export function commissionBaseCents(invoice: Invoice): number {
  const { money, wasSold, totalCents, taxCents } = invoice;
  if (money !== "sold" || !wasSold) return 0;
  const heldCents = heldOf(totalCents, invoice);
  return heldCents - Math.round(taxCents * heldCents / totalCents);
}

/** The commission of a net amount: rounded down to the cent. */
export function commissionCents(baseCents: number): number {
  return Math.floor(baseCents * COMMISSION_PERCENT / 100);
}

/**
 * When the commission of an invoice is to be brought in line with its money;
 * null while it is, and for advertisers whom nobody referred. Whatever changes
 * the money makes it due, in the commit that saves the invoice.
 */
export function commissionDueAtMs(invoice: Invoice): number | null {
  const { commission, finalizedAtMs } = invoice;
  if (commission === undefined) return null;
  const isSame = commission.countedCents === commissionBaseCents(invoice);
  return isSame ? null : finalizedAtMs;
}

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
