import { ProcessorUncertain } from "../../failure.ts";
import { invariant } from "../../invariant.ts";
import { SETTLEMENT_UNCERTAIN_MS } from "../../limits.ts";
import type { Outcome, ProcessorInvoice } from "../../payments/processor.ts";
import type { Candidate, CandidateStep, Settlement } from "../settlement.ts";
import { passOver } from "./pass_over.ts";
import { publishWinner } from "./publish.ts";
import { beginPayment } from "./recheck.ts";
import { moveCandidate, type Saga, type Turn } from "./saga.ts";

/** Nothing can be decided now: who to ask again, and why. */
export interface Wait {
  wait: string;
}

/** What a step came to: the settlement as it now stands, or a wait. */
export type Progress = Settlement | Wait;

/** Tells a wait from a settlement. */
export function isWait(progress: Progress): progress is Wait {
  return "wait" in progress;
}

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
  voiding: giveUp,
};

/**
 * Takes the candidate one step further at the processor. Every step begins by
 * looking at the invoice as it is, so it is right after a crash, a lost answer
 * or an outage longer than the processor remembers idempotency keys.
 */
export async function chargeStep(
  saga: Saga,
  turn: Turn,
  step: ChargeStep,
): Promise<Progress> {
  const { invoiceId } = turn.candidate;
  invariant(invoiceId !== null, `a candidate in ${step} has an invoice`);
  const asked = await certain(() =>
    saga.services.processor.retrieveInvoice(invoiceId)
  );
  if (asked === null) return await uncertain(saga, turn);
  if (!asked.ok) return await unknownInvoice(saga, turn, asked.message);
  const invoice = asked.value;
  if (invoice.status === "paid") return await paidWith(saga, turn, invoice);
  if (invoice.status === "void") {
    return await passOver(saga, turn, null, invoice);
  }
  return await INVOICE_STEPS[step](saga, turn, invoice);
}

/** The books say what was bid, so a charge of another sum wants a person. */
async function paidWith(
  saga: Saga,
  turn: Turn,
  invoice: ProcessorInvoice,
): Promise<Progress> {
  if (invoice.totalCents === turn.candidate.amountCents) {
    return await publishWinner(saga, turn, invoice);
  }
  reportTotal(saga, turn);
  return { wait: "the invoice was paid with a total that is not the bid" };
}

function reportTotal(saga: Saga, turn: Turn): void {
  saga.services.log.error("settlement.total_differs", {
    day: saga.day,
    bid: turn.candidate.bidId,
  });
}

/**
 * A draft that was deleted is unknown to the processor and charges nothing. An
 * invoice that may be paid can't vanish: then our set-up is wrong, and going on
 * could charge a second advertiser.
 */
async function unknownInvoice(
  saga: Saga,
  turn: Turn,
  message: string,
): Promise<Progress> {
  if (!turn.candidate.mayBePaid) {
    return await passOver(saga, turn, turn.candidate.note ?? message);
  }
  saga.services.log.error("settlement.invoice_vanished", {
    day: saga.day,
    bid: turn.candidate.bidId,
  });
  return { wait: "the processor does not know the finalised invoice" };
}

/** Creates the draft invoice; see `CANDIDATE_STEPS`. */
export async function createInvoice(
  saga: Saga,
  turn: Turn,
): Promise<Progress> {
  const { processor } = saga.services;
  const { bidId, customerId } = turn.candidate;
  invariant(customerId !== null, `the customer of ${bidId} is known`);
  const metadata = { purpose: "spotlight", day: saga.day, bid_id: bidId };
  const made = await certain(() =>
    processor.createInvoice(
      { customerId, metadata },
      keyOf(saga, turn, "create"),
    )
  );
  if (made !== null && !made.ok) {
    // More likely the keys are of another processor account than that one
    // customer is gone: the operator has an hour to mend that.
    if (made.code === "resource_missing" && !overdue(saga, turn)) {
      saga.services.log.error("settlement.customer_unknown", {
        day: saga.day,
        bid: bidId,
      });
      return { wait: "the processor does not know the customer" };
    }
    return await passOver(saga, turn, made.message);
  }
  if (made !== null) return await invoiced(saga, turn, made.value);
  const found = await certain(() =>
    processor.findInvoice(customerId, { name: "bid_id", value: bidId })
  );
  if (found !== null && found.ok && found.value !== null) {
    return await invoiced(saga, turn, found.value);
  }
  // A draft that nobody finalises charges nothing, so it may be left behind.
  if (found !== null && overdue(saga, turn)) {
    return await passOver(saga, turn, "no invoice came to be in time");
  }
  return { wait: "creating the invoice is uncertain" };
}

/** "Amounts the processor can't take end as `payment_failed`, reported." */
async function addLine(
  saga: Saga,
  turn: Turn,
  invoice: ProcessorInvoice,
): Promise<Progress> {
  const { amountCents, customerId } = turn.candidate;
  invariant(customerId !== null, "the customer of an invoice is known");
  if (invoice.totalCents === amountCents) {
    return await moveCandidate(saga, turn, { step: "finalizing" });
  }
  const added = await certain(() =>
    saga.services.processor.addInvoiceLine({
      customerId,
      invoiceId: invoice.id,
      amountCents,
      description: `Spotlight of ${saga.day}`,
    }, keyOf(saga, turn, "line"))
  );
  if (added === null) return await uncertain(saga, turn);
  if (!added.ok) {
    saga.services.log.error("settlement.amount_refused", {
      day: saga.day,
      bid: turn.candidate.bidId,
    });
    return await refused(saga, turn, added.message);
  }
  return await moveCandidate(saga, turn, { step: "finalizing" });
}

async function finalize(
  saga: Saga,
  turn: Turn,
  invoice: ProcessorInvoice,
): Promise<Progress> {
  const { amountCents } = turn.candidate;
  // What you bid is what you pay: no other total ever reaches a card.
  if (invoice.totalCents !== amountCents) {
    reportTotal(saga, turn);
    return await refused(saga, turn, "the invoice total is not the bid");
  }
  if (invoice.status === "open") {
    return await beginPayment(saga, turn, invoice);
  }
  const done = await certain(() =>
    saga.services.processor.finalizeInvoice(
      invoice.id,
      keyOf(saga, turn, "finalize"),
    )
  );
  if (done === null) return await uncertain(saga, turn);
  if (!done.ok) return await refused(saga, turn, done.message);
  return await beginPayment(saga, turn, done.value);
}

async function pay(
  saga: Saga,
  turn: Turn,
  invoice: ProcessorInvoice,
): Promise<Progress> {
  const { amountCents, paymentMethodId } = turn.candidate;
  if (invoice.paymentProcessing) return processing(saga, turn);
  if (invoice.totalCents !== amountCents) {
    return await refused(saga, turn, "the invoice total is not the bid");
  }
  const paid = await certain(() =>
    saga.services.processor.payInvoice(
      invoice.id,
      paymentMethodId,
      keyOf(saga, turn, "pay"),
    )
  );
  if (paid === null) return await uncertain(saga, turn);
  // A refusal may also mean that it was paid long ago: voiding looks again.
  if (!paid.ok) {
    return await moveCandidate(saga, turn, {
      step: "voiding",
      note: paid.code,
      cardRefused: true,
    });
  }
  if (paid.value.status === "paid") {
    return await publishWinner(saga, turn, paid.value);
  }
  if (paid.value.paymentProcessing) return processing(saga, turn);
  return await refused(saga, turn, `the invoice is ${paid.value.status}`);
}

/** Makes sure that nothing can be charged any more, then passes over. */
async function giveUp(
  saga: Saga,
  turn: Turn,
  invoice: ProcessorInvoice,
): Promise<Progress> {
  const { processor } = saga.services;
  if (invoice.paymentProcessing) return processing(saga, turn);
  // The processor repeats a saved 500 for a day. Voiding twice does nothing
  // more, so each attempt has a key of its own.
  const nth = turn.settlement.attempts;
  const gone = await certain<ProcessorInvoice | null>(async () => {
    if (invoice.status !== "draft") {
      return await processor.voidInvoice(
        invoice.id,
        keyOf(saga, turn, `void:${nth}`),
      );
    }
    const deleted = await processor.deleteDraftInvoice(
      invoice.id,
      keyOf(saga, turn, "delete"),
    );
    return deleted.ok ? { ok: true, value: null } : deleted;
  });
  if (gone === null) return { wait: "voiding the invoice is uncertain" };
  if (gone.ok) return await passOver(saga, turn, null, gone.value);
  // It changed under our hands, paid perhaps: the next look decides.
  return { wait: `the invoice could not be voided: ${gone.message}` };
}

function invoiced(
  saga: Saga,
  turn: Turn,
  invoice: ProcessorInvoice,
): Promise<Settlement> {
  return moveCandidate(saga, turn, {
    step: "itemizing",
    invoiceId: invoice.id,
  });
}

function refused(
  saga: Saga,
  turn: Turn,
  note: string,
): Promise<Progress> {
  if (turn.candidate.step === "voiding") return Promise.resolve({ wait: note });
  return moveCandidate(saga, turn, { step: "voiding", note });
}

function processing(saga: Saga, turn: Turn): Wait {
  saga.services.log.error("settlement.payment_processing", {
    day: saga.day,
    bid: turn.candidate.bidId,
  });
  return { wait: "the payment is still processing" };
}

/** Waits, or after 60 minutes cancels at the processor. */
async function uncertain(saga: Saga, turn: Turn): Promise<Progress> {
  if (turn.candidate.step !== "voiding" && overdue(saga, turn)) {
    return await refused(saga, turn, "uncertain for 60 minutes");
  }
  return { wait: `the processor gave no answer in ${turn.candidate.step}` };
}

function overdue(saga: Saga, turn: Turn): boolean {
  const waitedMs = saga.services.clock.now() - turn.candidate.stepSinceMs;
  return waitedMs >= SETTLEMENT_UNCERTAIN_MS;
}

function keyOf(saga: Saga, turn: Turn, call: string): string {
  return `settle:${saga.day}:${turn.candidate.bidId}:${call}`;
}

/** The definite outcome of a call, or null when nobody knows. */
async function certain<T>(
  call: () => Promise<Outcome<T>>,
): Promise<Outcome<T> | null> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ProcessorUncertain) return null;
    throw error;
  }
}

/** A candidate's step narrowed to those that have an invoice. */
export function hasInvoice(
  step: Candidate["step"],
): step is ChargeStep {
  return step in INVOICE_STEPS;
}
