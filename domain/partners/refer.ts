import { noteEvents } from "../events/note_events.ts";
import type { Services, Transaction } from "../ports.ts";
import { COMMISSION_MONTHS } from "./limits.ts";
import { monthOf } from "../month.ts";
import type { Referral } from "./referral.ts";
import type { ReferralLink } from "./referral_link.ts";
import { isSameMailHost, mailHostOf } from "./self_referral.ts";

/** A moment so many months later: its day, or the last one the month has. */
export function monthsLaterMs(ms: number, months: number): number {
  const at = new Date(ms);
  const day = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + months);
  const last = new Date(
    Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0),
  ).getUTCDate();
  at.setUTCDate(Math.min(day, last));
  return at.getTime();
}

/**
 * Who is credited with the account that a sign-up makes, in its commit: the
 * partner whose link was followed. Null for a link that does not count, and for
 * a partner with the same mail domain; what is known only later is looked at
 * before any commission is counted.
 */
export async function creditReferral(
  tx: Transaction,
  { code, email }: { code: string; email: string },
  nowMs: number,
): Promise<Referral | null> {
  const link = await tx.referralLinks.find(code);
  if (link === null || link.state !== "active") return null;
  const { partnerId } = link;
  const partner = await tx.accounts.find(partnerId);
  if (partner === null || !partner.partner) return null;
  if (isSameMailHost(email, partner.email)) return null;
  tx.signUpCounts.add(1, partnerId, monthOf(nowMs));
  const fact = { type: "referral.signed_up" as const, data: { code } };
  await noteEvents(tx, partnerId, [fact], nowMs);
  return {
    partnerId,
    code,
    signedUpAtMs: nowMs,
    mailHost: mailHostOf(email),
    untilMs: monthsLaterMs(nowMs, COMMISSION_MONTHS),
    state: "credited",
  };
}

/** The link of a code, while sign-ups by it count; null for any other. */
export async function findCountingLink(
  { store }: Pick<Services, "store">,
  code: string,
): Promise<ReferralLink | null> {
  const link = await store.referralLinks.find(code);
  if (link === null || link.state !== "active") return null;
  const partner = await store.accounts.find(link.partnerId);
  return partner?.partner === true ? link : null;
}
