import { readShownWindow } from "../auction/read_shown_windows.ts";
import { invariant } from "../invariant.ts";
import { type Outcome, unlessUncertain } from "../payments/outcome.ts";
import type { ProcessorInvoice } from "../payments/processor.ts";
import type { Transaction } from "../ports.ts";
import { hasExpectedVat } from "../tax/invoice_vat.ts";
import { AD_LOST, type Candidate, type CandidateStep } from "./settlement.ts";
import {
  beginVoiding,
  callKey,
  isWait,
  type Progress,
  report,
  TIME_UNTOLD,
  type Wait,
  waitForMending,
  waitForPerson,
  waitOrVoid,
} from "./step_progress.ts";
import { adoptOrStop } from "./adopt_invoice.ts";
import { addLine, vatOf } from "./draft.ts";
import {
  claimOfAnother,
  invoicesOfDay,
  isAsBid,
  isNotedSale,
} from "./invoices_of_day.ts";
import { passOver, passOverPaid, SOLD_TO_ANOTHER } from "./pass_over.ts";
import { passOverOthers } from "./pass_over_others.ts";
import { publishWinner, whyTakenBack, whyTakenBackNow } from "./publish.ts";
import {
  beginPayment,
  isShownTimeOver,
  shownTime,
  voidAsOver,
  voidUnlessPayable,
} from "./recheck.ts";
import { moveCandidate, type Saga, type Turn } from "./saga.ts";
import type { UnpaidReason } from "./void_reasons.ts";

type ChargeStep = Extract<
  CandidateStep,
  "itemizing" | "finalizing" | "paying" | "voiding"
>;

type InvoiceStep = (
  saga: Saga,
  turn: Turn,
  invoice: ProcessorInvoice,
) => Promise<Progress>;

const INVOICE_STEPS: Readonly<Record<ChargeStep, InvoiceStep>> = {
  itemizing: addLine,
  finalizing: finalize,
  paying: pay,
  voiding: voidAndPassOver,
};

/**
 * Takes the candidate one step further at the processor. Every step begins by
 * reading the invoice as it is now, so it is right after a crash, a lost answer
 * or an outage longer than the processor remembers idempotency keys.
 */
export async function chargeStep(
  saga: Saga,
  turn: Turn,
  step: ChargeStep,
): Promise<Progress> {
  const { invoiceId } = turn.candidate;
  invariant(invoiceId !== null, `a candidate in ${step} has an invoice`);
  const asked = await unlessUncertain(() =>
    saga.services.processor.retrieveInvoice(invoiceId)
  );
  if (asked === null) return await waitOrVoid(saga, turn, "look");
  if (!asked.ok) return await passOverUnknownDraft(saga, turn, asked.message);
  const invoice = asked.value;
  if (invoice.status === "paid") return await finishPaid(saga, turn, invoice);
  if (invoice.status === "void") {
    return await passOver(saga, turn, null, invoice);
  }
  // A payment that is under way already is waited for.
  const isUndecided = step !== "voiding" && !invoice.paymentProcessing;
  const shown = isUndecided ? await shownTime(saga) : "on";
  if (shown === "over") return await voidAsOver(saga, turn, invoice);
  if (shown === "untold") return { wait: TIME_UNTOLD };
  return await INVOICE_STEPS[step](saga, turn, invoice);
}

/**
 * The ledger says what was bid, so a charge of another sum, or for another ad,
 * waits for a person, as long as there is something to sell.
 */
async function finishPaid(
  saga: Saga,
  turn: Turn,
  invoice: ProcessorInvoice,
): Promise<Progress> {
  if (invoice.paymentIds.length === 0) {
    const why = "the invoice was paid without a payment of ours";
    return waitForPerson(saga, turn, "settlement.paid_without_payment", why);
  }
  const isBid = isAsBid(invoice, turn.candidate);
  if (isBid && hasWhatToShow(turn)) {
    const reason = await whyGivenBack(saga, turn, invoice);
    if (reason === "untold") return { wait: TIME_UNTOLD };
    if (reason !== null) {
      const mayWin = async (tx: Transaction) => {
        if (reason === "the day was over") return false;
        const account = await tx.accounts.find(turn.candidate.accountId);
        return await whyTakenBackNow(saga, tx, turn, account) === null;
      };
      return await passOverPaid(saga, turn, invoice, reason, mayWin);
    }
    const others = await passOverOthers(saga, turn);
    if (isWait(others)) return others;
    return await publishWinner(saga, turn, invoice);
  }
  if (await isShownTimeOver(saga)) {
    return await passOverPaid(saga, turn, invoice, "the day was over");
  }
  // The ad is looked at anew, now that it is paid for.
  if (isBid) return await adoptOrStop(saga, invoice);
  const why = "the invoice was paid for what is not the bid";
  return waitForPerson(saga, turn, "settlement.total_differs", why);
}

/**
 * Why what was paid as bid goes back; null where it has won, `untold` where the
 * processor has to say first whether its day is over. A payment may have
 * been under way for days: past the time on show, the withdrawal of the ad's
 * approval, or the block of its account.
 */
async function whyGivenBack(
  saga: Saga,
  { candidate }: Turn,
  { paidAtMs }: ProcessorInvoice,
): Promise<UnpaidReason | "untold" | null> {
  if (candidate.note === AD_LOST) return null;
  const { day, services } = saga;
  const { untilMs } = await readShownWindow(services, day);
  const isLate = paidAtMs !== null && paidAtMs >= untilMs;
  // By a clock of ours that is behind, the next one would be charged as late.
  const shown = isLate ? await shownTime(saga) : "on";
  if (shown !== "on") return shown === "over" ? "the day was over" : shown;
  const { store, settings } = services;
  const { accountId, adId } = candidate;
  const [account, creative] = await store.getMany([
    store.accounts.ref(accountId),
    store.creatives.ref(accountId, adId),
  ]);
  return whyTakenBack(candidate, { account, creative }, settings);
}

/** An adopted invoice may turn out paid though its ad was not approved. */
function hasWhatToShow({ candidate: { copy, note } }: Turn): boolean {
  return copy !== null || note === AD_LOST;
}

/**
 * A draft that was deleted is unknown to the processor and charges nothing. An
 * invoice that may be paid can't vanish: then our set-up is wrong, and going on
 * could charge a second advertiser.
 */
async function passOverUnknownDraft(
  saga: Saga,
  turn: Turn,
  message: string,
): Promise<Progress> {
  if (!turn.candidate.mayBePaid) {
    return await passOver(saga, turn, turn.candidate.note ?? message);
  }
  const why = "the processor does not know the finalised invoice";
  return waitForPerson(saga, turn, "settlement.invoice_vanished", why);
}

async function finalize(
  saga: Saga,
  turn: Turn,
  invoice: ProcessorInvoice,
): Promise<Progress> {
  const { amountCents } = turn.candidate;
  // What you bid is what you pay: no other total ever reaches a card.
  if (invoice.totalCents !== amountCents) {
    report(saga, turn, "settlement.total_differs");
    return await beginVoiding(saga, turn, "the invoice total is not the bid");
  }
  if (invoice.status === "open") {
    return await beginPayment(saga, turn, invoice);
  }
  if (!hasExpectedVat(invoice, vatOf(turn.candidate))) {
    return await reportVatDiffers(saga, turn);
  }
  const done = await unlessUncertain(() =>
    saga.services.processor.finalizeInvoice(
      invoice.id,
      callKey(saga, turn, "finalize"),
    )
  );
  if (done === null) return await waitOrVoid(saga, turn, "call");
  if (!done.ok) return await beginVoiding(saga, turn, done.message);
  return await beginPayment(saga, turn, done.value);
}

/** Waits with a draft whose VAT is wrong: it can be fixed, a final invoice can't. */
function reportVatDiffers(saga: Saga, turn: Turn): Promise<Progress> {
  const wait = "the VAT on the invoice is not what is due";
  return waitForMending(saga, turn, {
    event: "settlement.vat_differs",
    wait,
    mending: "vat",
  }, () => beginVoiding(saga, turn, wait));
}

async function pay(
  saga: Saga,
  turn: Turn,
  invoice: ProcessorInvoice,
): Promise<Progress> {
  const { amountCents, paymentMethodId } = turn.candidate;
  if (invoice.paymentProcessing) return reportProcessing(saga, turn);
  if (invoice.totalCents !== amountCents) {
    return await beginVoiding(saga, turn, "the invoice total is not the bid");
  }
  const invoices = await invoicesOfDay(saga);
  if (invoices === null) return await waitOrVoid(saga, turn, "look");
  const claim = await claimOfAnother(saga, turn, invoices);
  if (claim !== null) {
    return await isNotedSale(saga, claim)
      ? await beginVoiding(saga, turn, SOLD_TO_ANOTHER)
      : reportDayTaken(saga, turn);
  }
  const notPayable = await voidUnlessPayable(saga, turn, invoice);
  if (notPayable !== null) return notPayable;
  const paid = await unlessUncertain(() =>
    saga.services.processor.payInvoice(
      invoice.id,
      paymentMethodId,
      callKey(saga, turn, "pay"),
    )
  );
  if (paid === null) return await waitOrVoid(saga, turn, "call");
  // A refusal may also mean that it was paid long ago: voiding asks again.
  if (!paid.ok) {
    return await moveCandidate(saga, turn, {
      step: "voiding",
      note: paid.code,
      cardRefused: true,
    });
  }
  if (paid.value.status === "paid") {
    return await finishPaid(saga, turn, paid.value);
  }
  if (paid.value.paymentProcessing) return reportProcessing(saga, turn);
  return await beginVoiding(saga, turn, `the invoice is ${paid.value.status}`);
}

/**
 * Leaves the day to an operator: a second service sells it, or somebody made an
 * invoice by hand.
 */
function reportDayTaken(saga: Saga, turn: Turn): Wait {
  const why = "another bid's invoice stands beside its own";
  report(saga, turn, "settlement.day_taken", { why });
  return { wait: "another bid's invoice of the day stands at the processor" };
}

/** Makes sure that nothing can be charged any more, then passes over. */
async function voidAndPassOver(
  saga: Saga,
  turn: Turn,
  invoice: ProcessorInvoice,
): Promise<Progress> {
  const { processor } = saga.services;
  if (invoice.paymentProcessing) return reportProcessing(saga, turn);
  // The processor repeats a saved 500 for a day. Voiding twice does nothing
  // more, so each attempt has a key of its own.
  const nth = turn.settlement.attempts;
  const gone = await unlessUncertain<Outcome<ProcessorInvoice | null>>(
    async () => {
      if (invoice.status !== "draft") {
        return await processor.voidInvoice(
          invoice.id,
          callKey(saga, turn, `void:${nth}`),
        );
      }
      const deleted = await processor.deleteDraftInvoice(
        invoice.id,
        callKey(saga, turn, "delete"),
      );
      return deleted.ok ? { ok: true, value: null } : deleted;
    },
  );
  if (gone === null) return { wait: "voiding the invoice is uncertain" };
  if (gone.ok) return await passOver(saga, turn, null, gone.value);
  // It changed meanwhile, perhaps it was paid: the next attempt sees.
  return { wait: `the invoice could not be voided: ${gone.message}` };
}

function reportProcessing(saga: Saga, turn: Turn): Wait {
  const why = "the payment is still processing";
  return waitForPerson(saga, turn, "settlement.payment_processing", why);
}

/** A candidate's step narrowed to those that have an invoice. */
export function isChargeStep(
  step: Candidate["step"],
): step is ChargeStep {
  return step in INVOICE_STEPS;
}
