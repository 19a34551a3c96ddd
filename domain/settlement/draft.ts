import { invariant } from "../invariant.ts";
import { footerText, lineText } from "../invoices/invoice_text.ts";
import { CHARGE_MAX_CENTS } from "../limits.ts";
import type { ListedInvoice, ProcessorInvoice } from "../payments/processor.ts";
import { type Outcome, unlessUncertain } from "../payments/outcome.ts";
import { pushCustomer } from "../payments/push_customer.ts";
import type { InvoiceVat } from "../tax/invoice_vat.ts";
import type { Candidate, Settlement } from "./settlement.ts";
import { adoptOrStop } from "./adopt_invoice.ts";
import {
  callKey,
  isWait,
  type Progress,
  report,
  TIME_UNTOLD,
  waitAtMost,
  waitForMending,
  waitOrVoid,
} from "./step_progress.ts";
import {
  claimOfAnother,
  invoicesOfDay,
  isAsBid,
  isClaim,
  isNotedSale,
  ownInvoice,
} from "./invoices_of_day.ts";
import { passOver, passOverAsLost, passOverAsVoid } from "./pass_over.ts";
import { isShownTimeOver, shownTime, voidAsOver } from "./recheck.ts";
import { moveCandidate, type Saga, type Turn } from "./saga.ts";

/**
 * Creates the draft invoice; see `CANDIDATE_STEPS`. It is printed with the
 * customer's name, address and VAT id as the processor knows them, so the company
 * is pushed first.
 *
 * The day may have an invoice of which this store knows nothing, as after a
 * backup was restored, and the processor remembers a key for a day only: so all
 * invoices of the day are read before another is made. While one of another bid
 * stands, nobody else is charged. Where an operator has noted that it bought the
 * day, all others have lost.
 */
export async function createInvoice(
  saga: Saga,
  turn: Turn,
): Promise<Progress> {
  // Whoever changes the company all the time must not get out of a bid by it, so
  // it is enough to have pushed it as it was a moment ago.
  const { accountId } = turn.candidate;
  const told = await pushCustomer(saga.services, { accountId });
  if (told !== "told") return await waitForCustomer(saga, turn, told);
  const invoices = await invoicesOfDay(saga);
  if (invoices === null) {
    const wait = "looking for invoices of the day is uncertain";
    return { wait, awaited: "look" };
  }
  const claim = await claimOfAnother(saga, turn, invoices);
  if (claim !== null) return await giveWay(saga, turn, claim);
  const own = ownInvoice(invoices, turn);
  if (own !== null) return await resumeWithInvoice(saga, turn, own);
  const shown = await shownTime(saga);
  if (shown === "over") {
    return await passOverAsVoid(saga, turn, "the day was over");
  }
  if (shown === "untold") return { wait: TIME_UNTOLD };
  const made = await unlessUncertain(() => createDraft(saga, turn));
  if (made === null) return await resumeUncertainDraft(saga, turn);
  if (made.ok) return await beginItemizing(saga, turn, made.value);
  const passOverRefused = () => passOver(saga, turn, made.message);
  if (made.code !== "resource_missing") return await passOverRefused();
  // More likely the keys are of another processor account than that one
  // customer is gone: the operator has an hour to correct that.
  return await waitForMending(saga, turn, {
    event: "settlement.customer_unknown",
    wait: "the processor does not know the customer",
    mending: "customer",
  }, passOverRefused);
}

/** What becomes of a turn when another bid's invoice stands. */
async function giveWay(
  saga: Saga,
  turn: Turn,
  claim: ListedInvoice,
): Promise<Progress> {
  return await isNotedSale(saga, claim)
    ? await passOverAsLost(saga, turn)
    : await adoptOrPassOver(saga, turn, claim);
}

/**
 * Goes on with the invoice as the day's, or waits for a person; not for longer
 * than there is something to sell.
 */
async function adoptOrPassOver(
  saga: Saga,
  turn: Turn,
  claim: ListedInvoice,
): Promise<Progress> {
  const progress = await adoptOrStop(saga, claim);
  return isWait(progress) && await isShownTimeOver(saga)
    ? await passOverAsVoid(saga, turn, "the day was over")
    : progress;
}

function createDraft(
  saga: Saga,
  turn: Turn,
): Promise<Outcome<ProcessorInvoice>> {
  const { processor, settings } = saga.services;
  const { bidId, adId, accountId, grantId } = turn.candidate;
  return processor.createInvoice({
    customerId: customerOf(turn),
    metadata: {
      purpose: "spotlight",
      day: saga.day,
      bid_id: bidId,
      // What was bought can be shown by a store that has lost the last raise,
      // and whose money it is, by whose mandate, told by one that has lost the
      // bid.
      ad_id: adId,
      account_id: accountId,
      ...grantId !== undefined && { grant_id: grantId },
    },
    footer: footerText(settings.seller, vatOf(turn.candidate)),
  }, callKey(saga, turn, "create"));
}

async function resumeUncertainDraft(saga: Saga, turn: Turn): Promise<Progress> {
  const invoices = await invoicesOfDay(saga);
  const own = invoices === null ? null : ownInvoice(invoices, turn);
  if (own !== null) return await resumeWithInvoice(saga, turn, own);
  const wait = {
    wait: "creating the invoice is uncertain",
    awaited: "call",
  } as const;
  if (invoices === null) return wait;
  // A draft that nobody finalises charges nothing, so it may be left behind.
  const note = "no invoice came to be in time";
  return await waitAtMost(saga, turn, wait, () => passOver(saga, turn, note));
}

/**
 * Goes on with the bid's own invoice as it is. One that was made final for
 * another sum, or another creative, is of a raise that this store has lost: it is
 * taken over, waits for a person, or is given up once there is nothing to sell.
 */
async function resumeWithInvoice(
  saga: Saga,
  turn: Turn,
  invoice: ListedInvoice,
): Promise<Progress> {
  if (!isClaim(invoice) || isAsBid(invoice, turn.candidate)) {
    return await beginItemizing(saga, turn, invoice);
  }
  const progress = await adoptOrStop(saga, invoice);
  return isWait(progress) && await isShownTimeOver(saga)
    ? await voidAsOver(saga, turn, invoice)
    : progress;
}

function customerOf({ candidate: { bidId, customerId } }: Turn): string {
  invariant(customerId !== null, `the customer of ${bidId} is known`);
  return customerId;
}

async function waitForCustomer(
  saga: Saga,
  turn: Turn,
  told: "refused" | "unanswered",
): Promise<Progress> {
  const event = "settlement.company_untold";
  const wait = "the processor could not be told of the company";
  const giveUp = () => passOver(saga, turn, wait);
  if (told === "refused") {
    const refused = { event, wait, mending: "company" } as const;
    return await waitForMending(saga, turn, refused, giveUp);
  }
  report(saga, turn, event);
  return await waitAtMost(saga, turn, { wait, awaited: "company" }, giveUp);
}

/** How the invoice deals with VAT, as the re-check froze it. */
export function vatOf({ bidId, vat }: Candidate): InvoiceVat {
  invariant(vat !== undefined, `the VAT of ${bidId} was decided`);
  return vat;
}

/**
 * Puts the bid on the invoice. An amount that the processor does not take ends
 * as `payment_failed` and is reported (contract §2.4). No card can pay it, so it
 * counts as one that was refused: raising to it would else be a way to withdraw
 * a bid.
 */
export async function addLine(
  saga: Saga,
  turn: Turn,
  invoice: ProcessorInvoice,
): Promise<Progress> {
  const { amountCents } = turn.candidate;
  if (invoice.totalCents === amountCents) {
    return await moveCandidate(saga, turn, { step: "finalizing" });
  }
  const { contained } = vatOf(turn.candidate);
  const { store, settings: { auctionHours } } = saga.services;
  const closed = await store.auctions.find(saga.day);
  const closedAtMs = closed?.closedAtMs ?? null;
  const added = await unlessUncertain(() =>
    saga.services.processor.addInvoiceLine({
      customerId: customerOf(turn),
      invoiceId: invoice.id,
      amountCents,
      description: lineText(saga.day, auctionHours, closedAtMs),
      ...(contained === null ? {} : { vat: contained }),
    }, callKey(saga, turn, "line"))
  );
  if (added === null) return await waitOrVoid(saga, turn, "call");
  if (!added.ok) {
    const { day, services: { log } } = saga;
    const { bidId: bid } = turn.candidate;
    log.info("settlement.amount_refused", { day, bid });
    return await moveCandidate(saga, turn, {
      step: "voiding",
      note: added.message,
      cardRefused: amountCents > CHARGE_MAX_CENTS,
    });
  }
  return await moveCandidate(saga, turn, { step: "finalizing" });
}

function beginItemizing(
  saga: Saga,
  turn: Turn,
  invoice: ListedInvoice,
): Promise<Settlement> {
  return moveCandidate(saga, turn, {
    step: "itemizing",
    invoiceId: invoice.id,
  });
}
