import type { Account } from "../accounts/account.ts";
import { invariant } from "../invariant.ts";
import type { Invoice, InvoiceCommission } from "../invoices/invoice.ts";
import { everyInvoice } from "../invoices/every_invoice.ts";
import { bookEntry } from "../ledger/book_entry.ts";
import { commissionEntryId, commissionMovement } from "../ledger/commission.ts";
import type { Services, Transaction } from "../ports.ts";
import { advance } from "../state_machine.ts";
import {
  type Commission,
  commissionBaseCents,
  commissionCents,
  commissionDueAtMs,
} from "./commission.ts";
import {
  emptyBalance,
  presentMonth,
  withCommission,
} from "./partner_balance.ts";
import type { Partner } from "./partner.ts";
import { REFERRAL_STATES, type SelfReferral } from "./referral.ts";
import { findSelfReferral } from "./self_referral.ts";

/**
 * Brings the commission of an invoice in line with its money: commission,
 * balance, books and invoice in one commit, which checks them all, so that it is
 * counted once however often and by how many this is called. An advertiser that
 * turns out to be its own partner brings none, for no invoice.
 */
export async function countCommission(
  services: Pick<Services, "store" | "clock" | "log">,
  { invoiceId }: { invoiceId: string },
): Promise<void> {
  const { store, log } = services;
  const invoice = await store.invoices.find(invoiceId);
  if (invoice?.commission === undefined) return;
  if (commissionDueAtMs(invoice) === null) return;
  const { accountId, commission: { partnerId } } = invoice;
  const why = await findSelfReferral(services, accountId, partnerId);
  if (why === null && !await isVoid(store, accountId)) {
    return await count(services, invoiceId, null);
  }
  for await (const { id, commission } of everyInvoice(services, accountId)) {
    if (id === invoiceId || commission === undefined) continue;
    if (!commission.isVoid) await count(services, id, why);
  }
  // Last, since it is what brings this back after a crash.
  await count(services, invoiceId, why);
  log.info("partner.referral_void", { account: accountId, why });
}

async function isVoid(
  store: Services["store"],
  accountId: string,
): Promise<boolean> {
  const account = await store.accounts.find(accountId);
  return account?.referral?.state === "void";
}

function count(
  { store, clock }: Pick<Services, "store" | "clock">,
  invoiceId: string,
  why: SelfReferral | null,
): Promise<void> {
  return store.transact(async (tx) => {
    const [invoice, known] = await tx.getMany([
      tx.invoices.ref(invoiceId),
      tx.commissions.ref(invoiceId),
    ]);
    if (invoice?.commission === undefined) return;
    const { partnerId } = invoice.commission;
    const [account, partner, balance] = await tx.getMany([
      tx.accounts.ref(invoice.accountId),
      tx.partners.ref(partnerId),
      tx.partnerBalances.ref(partnerId),
    ]);
    const referral = withoutReferral(tx, account, why)?.referral;
    const baseCents = commissionBaseCents(invoice);
    // Who is no partner any more keeps what was earned, also what is counted only
    // now, and earns no more: of an invoice that was paid since neither once an
    // operator takes it back in.
    const isLate = known === null && !earns(partner, invoice);
    const isVoid = invoice.commission.isVoid || isLate ||
      referral?.state === "void";
    const nowMs = clock.now();
    const before = balance ?? emptyBalance(partnerId);
    const commission = known ?? newCommission(
      invoice,
      presentMonth(before, nowMs),
      nowMs,
    );
    const cents = isVoid ? 0 : commissionCents(baseCents);
    saveCommission(tx, { before, commission, cents }, nowMs);
    const counted: InvoiceCommission = {
      partnerId,
      countedCents: baseCents,
      ...isVoid && { isVoid },
    };
    tx.invoices.save({ ...invoice, commission: counted });
  });
}

/** Whether the partner was one when the invoice was paid. */
function earns(partner: Partner | null, { paidAtMs }: Invoice): boolean {
  if (partner?.state === "approved") return true;
  if (partner?.state !== "ended" || paidAtMs === null) return false;
  return partner.decidedAtMs !== null && paidAtMs < partner.decidedAtMs;
}

/** Saves that the account is its own partner, if it is found to be. */
function withoutReferral(
  tx: Transaction,
  account: Account | null,
  why: SelfReferral | null,
): Account | null {
  const referral = account?.referral;
  if (account === null || referral === undefined || why === null) {
    return account;
  }
  if (referral.state === "void") return account;
  const state = advance(REFERRAL_STATES, referral.state, "void");
  const saved = {
    ...account,
    referral: { ...referral, state, voidBecause: why },
  };
  tx.accounts.save(saved);
  return saved;
}

function newCommission(
  { id: invoiceId, accountId, paymentId, commission }: Invoice,
  month: Commission["month"],
  nowMs: number,
): Commission {
  invariant(commission !== undefined, "the invoice names its partner");
  return {
    invoiceId,
    partnerId: commission.partnerId,
    accountId,
    paymentId,
    amountCents: 0,
    month,
    countedIn: null,
    createdAtMs: nowMs,
    changes: 0,
  };
}

/** A commission of nothing leaves no row before it was anything. */
function saveCommission(
  tx: Transaction,
  { before, commission, cents }: {
    before: ReturnType<typeof emptyBalance>;
    commission: Commission;
    cents: number;
  },
  nowMs: number,
): void {
  const changeCents = cents - commission.amountCents;
  if (changeCents === 0) return;
  const after = withCommission(before, commission, cents, nowMs);
  tx.partnerBalances.save(after.balance);
  tx.commissions.save(after.commission);
  const { invoiceId, paymentId, changes } = after.commission;
  bookEntry(tx, {
    id: commissionEntryId(invoiceId, changes),
    atMs: nowMs,
    kind: "commission",
    paymentId,
    movement: commissionMovement(changeCents),
  });
}
