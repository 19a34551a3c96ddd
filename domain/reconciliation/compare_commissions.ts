/**
 * What partners earned against the invoices that it is of and the books, and
 * each partner's balance against its commissions.
 *
 * @module
 */
import type { Invoice } from "../invoices/invoice.ts";
import { balanceOf } from "../ledger/book_entry.ts";
import {
  commissionBaseCents,
  commissionDueAtMs,
} from "../partners/commission.ts";
import { everyPartner } from "../partners/every_partner.ts";
import { earnedCents, emptyBalance } from "../partners/partner_balance.ts";
import type { Payout } from "../partners/payout.ts";
import { bringsCommission } from "../partners/referral.ts";
import type { Services } from "../ports.ts";
import type { Difference } from "./reconciliation.ts";

/** Most that one comparison reads of each. */
const COMMISSIONS_MAX = 20_000;
const ENTRIES_MAX = 100;
const PAYOUTS_MAX = 1_000;

type CompareServices = Pick<Services, "store">;

/** The invoices of a day: each brings what its money comes to, and once. */
export async function compareCommissions(
  { store }: CompareServices,
  invoices: readonly { id: string }[],
): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const { id } of invoices) {
    const invoice = await store.invoices.find(id);
    if (invoice === null) continue;
    const commissionOf = invoice.number;
    if (await isUncounted({ store }, invoice)) {
      differences.push({ kind: "commission_uncounted", commissionOf, id });
      continue;
    }
    if (invoice.commission === undefined) continue;
    const oursCents = (await store.commissions.find(id))?.amountCents ?? 0;
    const bookedCents = await bookedOf({ store }, invoice);
    if (oursCents === bookedCents) continue;
    differences.push({
      kind: "commission_not_booked",
      commissionOf,
      amountCents: oursCents - bookedCents,
    });
  }
  return differences;
}

/** Whether it brings commission that is in line with another amount, or none. */
async function isUncounted(
  { store }: CompareServices,
  invoice: Invoice,
): Promise<boolean> {
  if (invoice.commission !== undefined) {
    return commissionDueAtMs(invoice) !== null;
  }
  if (commissionBaseCents(invoice) === 0 || invoice.paidAtMs === null) {
    return false;
  }
  const account = await store.accounts.find(invoice.accountId);
  const referral = account?.referral;
  return referral !== undefined && invoice.paidAtMs >= referral.signedUpAtMs &&
    bringsCommission(referral, invoice.paidAtMs);
}

async function bookedOf(
  { store }: CompareServices,
  { id, paymentId }: Invoice,
): Promise<number> {
  if (paymentId === null) return 0;
  const limit = ENTRIES_MAX;
  const entries = await store.listLedgerOfPayment(paymentId, { limit });
  const own = entries.filter((entry) =>
    entry.kind === "commission" && entry.id.startsWith(`commission:${id}:`)
  );
  return balanceOf(own, "commission_expense");
}

/**
 * Every partner: what it earned is what its commissions come to, and what it was
 * paid, or asked for, what its payouts do.
 */
export async function comparePartners(
  { store }: CompareServices,
): Promise<Difference[]> {
  const differences: Difference[] = [];
  let isCut = false;
  for await (const { accountId: partnerId } of everyPartner({ store })) {
    const limit = COMMISSIONS_MAX;
    const commissions = await store.listCommissions(partnerId, { limit });
    const balance = await store.partnerBalances.find(partnerId);
    const payouts = await store.listPayouts(partnerId, { limit: PAYOUTS_MAX });
    if (commissions.length === limit || payouts.length === PAYOUTS_MAX) {
      isCut = true;
      continue;
    }
    const { paidCents, requestedCents } = balance ?? emptyBalance(partnerId);
    const offCents = paidCents + requestedCents - heldBy(payouts);
    if (offCents !== 0) {
      const amountCents = offCents;
      differences.push({ kind: "payouts_differ", partnerId, amountCents });
    }
    const sum = commissions.reduce(
      (cents, each) => cents + each.amountCents,
      0,
    );
    const amountCents = earnedCents(balance ?? emptyBalance(partnerId)) - sum;
    if (amountCents === 0) continue;
    differences.push({ kind: "partner_differs", partnerId, amountCents });
  }
  return isCut
    ? [...differences, { kind: "not_fully_compared", what: "commissions" }]
    : differences;
}

/** What is under way and what was paid and has not come back, cents. */
function heldBy(payouts: readonly Payout[]): number {
  return payouts
    .filter(({ state }) => state !== "failed" && state !== "canceled")
    .reduce((sum, each) => sum + each.amountCents - each.returnedCents, 0);
}
