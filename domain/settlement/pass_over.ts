import type { Account, PaymentMethod } from "../accounts/account.ts";
import { peekShownWindow } from "../auction/read_shown_windows.ts";
import { BID_STATUSES } from "../bids/bid.ts";
import { markRefused } from "../cards/mark_refused.ts";
import type { EventFact } from "../events/event.ts";
import { noteEvents } from "../events/note_events.ts";
import { recordInvoice } from "../invoices/record_invoice.ts";
import { paymentOfInvoice } from "../invoices/payment_of_invoice.ts";
import { queueMail } from "../mail/outbox_mail.ts";
import { unlessUncertain } from "../payments/outcome.ts";
import type { ProcessorInvoice } from "../payments/processor.ts";
import type { Transaction } from "../ports.ts";
import { advance } from "../state_machine.ts";
import { paymentFailedMail, voidMail } from "./bid_mails.ts";
import {
  type CandidateChanges,
  changeSettlement,
  invoiceOwner,
  moveCandidate,
  type Saga,
  type Turn,
  withCandidate,
  withLeaseRenewed,
} from "./saga.ts";
import type { Candidate, PassedOverAs, Settlement } from "./settlement.ts";
import { recordLatePayment } from "./record_late_payment.ts";
import type { Progress } from "./step_progress.ts";
import type { UnpaidReason, VoidReason } from "./void_reasons.ts";

/**
 * Passes over a candidate whose card was refused, whose payment stayed uncertain
 * or who no longer qualified before it, once nothing at the processor can charge
 * it any more. An account whose card was refused may not bid again until it has
 * another card.
 */
export function passOver(
  saga: Saga,
  turn: Turn,
  note: string | null,
  voided: ProcessorInvoice | null = null,
): Promise<Settlement> {
  const { candidate } = turn;
  if (candidate.note === SOLD_TO_ANOTHER) {
    return passOverAsLost(saga, turn, voided);
  }
  const { accountId, paymentMethodId, cardRefused, passedOverAs } = candidate;
  const mailId = saga.services.ids.next("mail"); // outside: attempts share it
  return moveCandidate(saga, turn, async (tx, nowMs) => {
    if (voided !== null) {
      await recordInvoice(tx, voided, invoiceOwner(saga, turn), nowMs);
    }
    const account = await tx.accounts.find(accountId);
    const refused = account !== null && cardRefused
      ? { card: await markRefused(tx, account, { paymentMethodId, nowMs }) }
      : null;
    return await passedOver(saga, tx, turn, {
      as: passedOverAs ?? "payment_failed",
      note: note ?? candidate.note ?? "the payment was refused",
      account,
      refused,
      mailId,
      nowMs,
    });
  });
}

/** Passes over as `void` a candidate of whom the processor has nothing. */
export function passOverAsVoid(
  saga: Saga,
  turn: Turn,
  note: VoidReason,
): Promise<Settlement> {
  const candidate: Candidate = { ...turn.candidate, passedOverAs: "void" };
  return passOver(saga, { ...turn, candidate }, note);
}

/**
 * Passes over who has paid for what is not to be shown, or can't be: in the same
 * commit the money is booked as one that goes back.
 *
 * @param mayWin whether the reason is gone by then, as that of a block that was
 * lifted while the processor was asked
 */
export async function passOverPaid(
  saga: Saga,
  turn: Turn,
  paid: ProcessorInvoice,
  reason: UnpaidReason,
  mayWin: (tx: Transaction) => Promise<boolean> = () => Promise.resolve(false),
): Promise<Progress> {
  const { services } = saga;
  const paymentId = await unlessUncertain(() =>
    paymentOfInvoice(services, paid)
  );
  if (paymentId === null) return { wait: "its payment is not known yet" };
  const mailId = services.ids.next("mail"); // outside: attempts share it
  return await changeSettlement(saga, async (settlement, tx, nowMs) => {
    if (await mayWin(tx)) return withLeaseRenewed(settlement, nowMs);
    const owner = invoiceOwner(saga, turn);
    const payment = { found: paid, owner, paymentId };
    const facts = await recordLatePayment(tx, payment, nowMs);
    const changes = await passedOver(saga, tx, turn, {
      as: "void",
      note: `${reason}, and it was paid` satisfies VoidReason,
      account: await tx.accounts.find(owner.accountId),
      refused: null,
      facts,
      mailId,
      nowMs,
    });
    return withCandidate(settlement, turn, changes, nowMs);
  });
}

/** The note of a candidate who lost to a bid that had no turn before it. */
export const SOLD_TO_ANOTHER = "the day was sold to another bid";

/**
 * Ends the turn of a candidate as the day was sold to another bid: its own is
 * lost, not failed, and its owner is told so with all others.
 */
export function passOverAsLost(
  saga: Saga,
  turn: Turn,
  invoice: ProcessorInvoice | null = null,
): Promise<Settlement> {
  return moveCandidate(saga, turn, async (tx, nowMs) => {
    if (invoice !== null) {
      await recordInvoice(tx, invoice, invoiceOwner(saga, turn), nowMs);
    }
    return { step: "passed_over", note: SOLD_TO_ANOTHER };
  });
}

/** Why and how a candidate is passed over. */
interface PassingOver {
  as: PassedOverAs;
  note: string;
  /** Whose bid it is; null: it is gone, and nobody is told. */
  account: Account | null;
  /** The card that was refused, if it still is saved; null: none was. */
  refused: { card: PaymentMethod | null } | null;
  /** What happened before that its owner is to be told by events. */
  facts?: readonly EventFact[];
  mailId: string;
  nowMs: number;
}

/**
 * Ends the bid in the caller's commit, with the mail that says why, and says how
 * that changes the candidate.
 */
export async function passedOver(
  { services: { settings } }: Saga,
  tx: Transaction,
  { settlement: { day }, candidate }: Turn,
  { as, note, account, refused, facts: before = [], mailId, nowMs }:
    PassingOver,
): Promise<CandidateChanges> {
  const { bidId, accountId, paymentMethodId } = candidate;
  const bid = await tx.bids.find(day, accountId);
  const facts = [...before];
  if (refused !== null) facts.push(refusedFact(paymentMethodId));
  let told = {};
  // Whatever became of the bid meanwhile, the day goes on without it.
  if (bid?.id === bidId && bid.status === "active") {
    advance(BID_STATUSES, bid.status, as);
    tx.bids.save({ ...bid, status: as });
    const data = { day, bid_id: bidId, ad_id: bid.adId };
    facts.push({ type: `bid.${as}`, data });
    if (account !== null) {
      const shown = await peekShownWindow(tx, settings, day);
      const ended = { to: account.email, bid, shown };
      const content = as === "void"
        ? voidMail(settings, ended, note)
        : paymentFailedMail(settings, ended, refused, nowMs);
      queueMail(tx, { mailId, accountId, content }, nowMs);
      told = { mailId };
    }
  }
  await noteEvents(tx, accountId, facts, nowMs);
  return { step: "passed_over", passedOverAs: as, note, ...told };
}

function refusedFact(payment_method_id: string): EventFact {
  return { type: "payment_method.refused", data: { payment_method_id } };
}
