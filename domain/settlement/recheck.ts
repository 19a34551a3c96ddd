import type { Account } from "../accounts/account.ts";
import { eligibilityReasons } from "../accounts/eligibility.ts";
import { readShownWindow } from "../auction/read_shown_windows.ts";
import { advertiserOf } from "../creatives/advertiser_name.ts";
import type { Creative } from "../creatives/creative.ts";
import { recordInvoice } from "../invoices/record_invoice.ts";
import type { ProcessorInvoice } from "../payments/processor.ts";
import type { Settings, Transaction } from "../ports.ts";
import type { EligibilityReason } from "../refusal.ts";
import {
  hasExpectedVat,
  type InvoiceVat,
  invoiceVatOf,
  isSameVat,
} from "../tax/invoice_vat.ts";
import { toldNow } from "./agreed_time.ts";
import type { CandidateCopy, Settlement } from "./settlement.ts";
import type { Progress } from "./step_progress.ts";
import { passedOver } from "./pass_over.ts";
import { isAhead } from "../tasks/due.ts";
import type { VoidReason } from "./void_reasons.ts";
import {
  changeSettlement,
  invoiceOwner,
  LEASE_MS,
  moveCandidate,
  type Saga,
  type Turn,
  withCandidate,
  withLeaseRenewed,
} from "./saga.ts";

/**
 * A bid that stands has a card of its own. One that is gone at the processor is
 * tried and refused, as any that can't be charged: taking the only card away
 * there would else be a way to withdraw a bid, and so would another card that
 * another day's bid failed on.
 */
const ONLY_FOR_NEW_BIDS: readonly EligibilityReason[] = [
  "no_payment_method",
  "card_refused",
];

/** A candidate who qualifies, or why one does not. */
type CandidateCheck =
  | { customerId: string; copy: CandidateCopy; vat: InvoiceVat }
  | { reason: VoidReason };

/**
 * Checks the candidate again before anything is asked of the processor:
 * creatives, accounts and cards are not frozen with the ranking. Who no longer
 * qualifies is passed over as `void`; the copy of who does is kept as it is now.
 */
export function recheck(saga: Saga, turn: Turn): Promise<Settlement> {
  const mailId = saga.services.ids.next("mail"); // outside: attempts share it
  return moveCandidate(saga, turn, async (tx, nowMs) => {
    const check = await checkCandidate(saga, tx, turn);
    if (!("reason" in check)) return { step: "creating", ...check };
    const note = check.reason;
    // Read by the check already.
    const account = await tx.accounts.find(turn.candidate.accountId);
    return await passedOver(saga, tx, turn, {
      as: "void",
      note,
      account,
      refused: null,
      mailId,
      nowMs,
    });
  });
}

/**
 * Checks again once the invoice is final: until here it may have taken hours. Who
 * no longer qualifies gets the invoice voided. Either way the invoice has its
 * number by now, so it is recorded.
 */
export function beginPayment(
  saga: Saga,
  turn: Turn,
  finalized: ProcessorInvoice,
): Promise<Settlement> {
  return moveCandidate(saga, turn, async (tx, nowMs) => {
    const check = await checkPayable(saga, tx, turn, finalized);
    await recordInvoice(tx, finalized, invoiceOwner(saga, turn), nowMs);
    return "reason" in check
      ? voidingChanges(check.reason)
      : { step: "paying", mayBePaid: true };
  });
}

/**
 * The last check, before every request for a payment: an earlier request may
 * have been without an answer for an hour, and an adopted invoice was checked by
 * another store. Who no longer qualifies moves to `voiding`, which begins by
 * asking whether the invoice was paid after all.
 *
 * @returns the settlement as it now stands, or a wait; null when the payment may
 * be asked for
 */
export async function voidUnlessPayable(
  saga: Saga,
  turn: Turn,
  invoice: ProcessorInvoice,
): Promise<Progress | null> {
  const after = await changeSettlement(saga, async (settlement, tx, nowMs) => {
    const check = await checkPayable(saga, tx, turn, invoice);
    // What was checked stands as long as nobody else takes the lease.
    return "reason" in check
      ? withCandidate(settlement, turn, voidingChanges(check.reason), nowMs)
      : withLeaseRenewed(settlement, nowMs);
  });
  if (after.candidates[turn.position]?.step === "voiding") return after;
  // A process that slept since: the day may be over, or sold by another.
  const nowMs = saga.services.clock.now();
  return isAhead(after.leaseUntilMs, nowMs, LEASE_MS)
    ? null
    : { wait: "the lease ended before the payment" };
}

/**
 * Whether the time in which the day's winner is on show has ended, as after an
 * outage of ours, a hold or a dispute of months: there is nothing left to sell.
 * A wrong clock of ours must not take a day from its winner, nor sell one that
 * is over: where ours says so and the processor's does not answer, it is
 * `untold`.
 */
export async function shownTime(
  { day, services }: Saga,
): Promise<"on" | "over" | "untold"> {
  const { untilMs } = await readShownWindow(services, day);
  if (services.clock.now() < untilMs) return "on";
  const nowMs = await toldNow(services);
  if (nowMs === null) return "untold";
  return nowMs < untilMs ? "on" : "over";
}

/** Whether there is surely nothing left to sell of the day. */
export async function isShownTimeOver(saga: Saga): Promise<boolean> {
  return await shownTime(saga) === "over";
}

/** Gives up the invoice of a day that is over; it may still turn out paid. */
export function voidAsOver(
  saga: Saga,
  turn: Turn,
  { id }: Pick<ProcessorInvoice, "id">,
): Promise<Settlement> {
  const changes = voidingChanges("the day was over");
  return moveCandidate(saga, turn, { ...changes, invoiceId: id });
}

/** How a candidate changes whose invoice is given up. */
export function voidingChanges(
  note: VoidReason,
): { step: "voiding"; passedOverAs: "void"; note: VoidReason } {
  return { step: "voiding", passedOverAs: "void", note };
}

/**
 * The invoice says who owes the VAT, and nothing on it can be changed. Of an
 * adopted one only the cents of its VAT are known.
 */
async function checkPayable(
  saga: Saga,
  tx: Transaction,
  turn: Turn,
  invoice: ProcessorInvoice,
): Promise<CandidateCheck> {
  const check = await checkCandidate(saga, tx, turn);
  if ("reason" in check) return check;
  const { vat } = turn.candidate;
  const isAsInvoiced = vat === undefined
    ? hasExpectedVat(invoice, check.vat)
    : isSameVat(vat, check.vat);
  return isAsInvoiced ? check : { reason: "who owes the VAT has changed" };
}

async function checkCandidate(
  saga: Saga,
  tx: Transaction,
  turn: Turn,
): Promise<CandidateCheck> {
  const { accountId, adId, paymentMethodId } = turn.candidate;
  const [bid, account, creative, card] = await tx.getMany([
    tx.bids.ref(saga.day, accountId),
    tx.accounts.ref(accountId),
    tx.creatives.ref(accountId, adId),
    tx.paymentMethods.ref(accountId, paymentMethodId),
  ]);
  if (bid?.status !== "active") return { reason: "the bid is not active" };
  if (account === null) return { reason: "the account is gone" };
  if (creative === null) return { reason: "the creative is gone" };
  if (creative.state !== "approved") {
    return { reason: `the creative is ${creative.state}` };
  }
  if (card === null) return { reason: "the card is gone" };
  const reason = whyBlocked(account, saga.services.settings);
  if (reason !== null) return { reason };
  const customerId = account.processorCustomerId;
  if (customerId === null) {
    return { reason: "the account has no customer at the processor" };
  }
  const { country } = saga.services.settings.seller;
  const vat = invoiceVatOf(account, country);
  return { customerId, copy: copyOf(account, creative), vat };
}

/** Why an account's bids can't win, whatever their cards; null where they may. */
export function whyBlocked(
  account: Account,
  settings: Settings,
): EligibilityReason | null {
  const reasons = eligibilityReasons(account, settings);
  return reasons.find((each) => !ONLY_FOR_NEW_BIDS.includes(each)) ?? null;
}

/** What the Spotlight shows of a creative, as it is now. */
export function copyOf(account: Account, creative: Creative): CandidateCopy {
  return {
    headline: creative.headline,
    description: creative.description,
    advertiser: advertiserOf(creative, account),
    targetUrl: creative.targetUrl,
  };
}
