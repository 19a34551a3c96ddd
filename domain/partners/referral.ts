import type { TransitionTable } from "../state_machine.ts";

/** Whether the partner is credited with the sign-up. */
export type ReferralState = "credited" | "void";

/** What was found to be no referral never becomes one again. */
export const REFERRAL_STATES: TransitionTable<ReferralState> = {
  credited: ["void"],
  void: [],
};

/** By what a partner was found to have referred itself (docs/affiliate.md). */
export type SelfReferral = "email_domain" | "vat_id" | "card";

/** Who brought an account, written in the commit that makes it. */
export interface Referral {
  /** The partner's account. */
  partnerId: string;
  code: string;
  signedUpAtMs: number;
  /**
   * The host of the address that it signed up with, which tells whether it is the
   * partner's own. Not that of a later address: to have that is its say, and would
   * take from the partner what it earned. Absent of referrals of earlier versions.
   */
  mailHost?: string;
  /** Invoices that are paid later bring no commission. */
  untilMs: number;
  state: ReferralState;
  /** Why it is void; absent while it is not. */
  voidBecause?: SelfReferral;
}

/** Whether an invoice that is paid at that moment brings commission. */
export function bringsCommission(
  referral: Referral,
  paidAtMs: number,
): boolean {
  return referral.state === "credited" && paidAtMs < referral.untilMs;
}
