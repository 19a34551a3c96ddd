/**
 * A day may have an invoice at the processor for a bid that this store would not
 * have charged, as after a backup was restored: the day goes to that bid, and
 * nobody else is charged.
 *
 * @module
 */
import type { Bid } from "../bids/bid.ts";
import { isApprovedAsItStands } from "../creatives/creative.ts";
import { isNotedAsMissed } from "../hold/hold.ts";
import { invariant } from "../invariant.ts";
import { countCharged } from "./count_charged.ts";
import type { ListedInvoice } from "../payments/processor.ts";
import type { Transaction } from "../ports.ts";
import {
  AD_LOST,
  type Candidate,
  INVOICE_SOLD,
  newCandidate,
  OWN_BID,
  type Settlement,
} from "./settlement.ts";
import type { Progress } from "./step_progress.ts";
import { copyOf, voidingChanges } from "./recheck.ts";
import { leasedSettlement, type Saga, withLeaseRenewed } from "./saga.ts";

/**
 * Goes on with another bid's invoice as the day's, or stops: while an invoice
 * stands of which the bid is not known here, nobody is charged for the day.
 */
export async function adoptOrStop(
  saga: Saga,
  claim: ListedInvoice,
): Promise<Progress> {
  const hold = await saga.services.store.holds.find();
  // The release that it was noted for may have had no answer of the processor.
  const isNoted = claim.status === "paid" && hold !== null &&
    isNotedAsMissed(hold, claim.id);
  const adopted = await adoptInvoice(saga, claim, { isNoted });
  const fields = { day: saga.day, bid: claim.metadata["bid_id"] };
  if (typeof adopted !== "string") {
    saga.services.log.info("settlement.invoice_adopted", fields);
    return adopted;
  }
  saga.services.log.error("settlement.day_taken", { ...fields, why: adopted });
  return { wait: `an invoice of the day stands at the processor: ${adopted}` };
}

/**
 * Puts the invoice's bid before all other candidates, at the step where only
 * its payment decides. Answers why not, when that can't be. A paid one whose ad
 * can't be shown is adopted without it where an operator took note of that.
 */
export async function adoptInvoice(
  saga: Saga,
  invoice: ListedInvoice,
  { isNoted }: { isNoted: boolean },
): Promise<Settlement | string> {
  const { store, clock } = saga.services;
  const bidId = invoice.metadata["bid_id"] ?? "";
  const place = await store.bidPlaces.find(bidId);
  if (place === null || place.day !== saga.day) return "its bid is not known";
  return await store.transact(async (tx) => {
    const settlement = await leasedSettlement(saga, tx);
    const bid = await tx.bids.find(saga.day, place.accountId);
    if (bid === null || bid.id !== bidId) return "its bid is not known";
    if (bid.status !== "active") return `its bid is ${bid.status}`;
    const adId = invoice.metadata["ad_id"] ?? bid.adId;
    const found = await howItGoesOn(tx, { ...bid, adId }, invoice);
    if (typeof found === "string" && !isNoted) return found;
    const now = clock.now();
    const bought = { ...bid, adId, grantId: grantOf(invoice, bid) };
    await saveRaisedBid(tx, bought, invoice.totalCents, now);
    const candidate: Candidate = {
      ...newCandidate(bid, now),
      adId,
      amountCents: invoice.totalCents,
      customerId: invoice.customerId,
      invoiceId: invoice.id,
      mayBePaid: true,
      ...typeof found === "string" ? LOST : found,
    };
    const others = settlement.candidates.filter((one) => one.bidId !== bidId);
    const adopted: Settlement = {
      ...withLeaseRenewed(settlement, now),
      candidates: [candidate, ...others],
      attempts: 0,
    };
    tx.settlements.save(adopted);
    return adopted;
  });
}

/** Under whose mandate it was bid; drafts of earlier versions don't say so. */
function grantOf({ metadata }: ListedInvoice, bid: Bid): string | null {
  const { grant_id: grantId = bid.grantId } = metadata;
  return grantId === OWN_BID ? null : grantId;
}

/** The note of one whose invoice was open: it is this store that has it paid. */
const INVOICE_STOOD = "its open invoice stood at the processor";

/** What an adopted candidate goes on with. */
type GoingOn = Pick<Candidate, "step" | "copy" | "passedOverAs" | "note">;

/** A sale that stands without its ad. */
const LOST: GoingOn = {
  step: "paying",
  copy: null,
  passedOverAs: null,
  note: AD_LOST,
};

/**
 * How an adopted candidate goes on, or why it can't. Nobody has paid yet for an ad
 * that is not approved: its invoice is given up. Its copy is not kept, since it
 * may turn out to be paid after all.
 */
async function howItGoesOn(
  tx: Transaction,
  { accountId, adId }: Bid,
  { status }: ListedInvoice,
): Promise<GoingOn | string> {
  const [account, creative] = await tx.getMany([
    tx.accounts.ref(accountId),
    tx.creatives.ref(accountId, adId),
  ]);
  if (account === null) return "its account is not known";
  if (creative === null) return "its creative is not known";
  if (isApprovedAsItStands(creative)) {
    return {
      step: "paying",
      copy: copyOf(account, creative),
      passedOverAs: null,
      note: status === "paid" ? INVOICE_SOLD : INVOICE_STOOD,
    };
  }
  const { state } = creative;
  invariant(state !== "approved", "what is approved was approved as it stands");
  if (status !== "paid") {
    return { ...LOST, ...voidingChanges(`the creative is ${state}`) };
  }
  return state === "archived"
    ? "its creative is archived, and not approved as it stands"
    : `its creative is ${state}`;
}

/**
 * What was bid is what the invoice says: a raise that this store has lost stands
 * on it, and counts in the total of the mandate it was made under.
 */
async function saveRaisedBid(
  tx: Transaction,
  bid: Bid,
  amountCents: number,
  nowMs: number,
): Promise<void> {
  const raised: Bid = { ...bid, amountCents };
  tx.bids.save(raised);
  if (bid.amountCents === amountCents) return;
  const { id: bidId, day, accountId, adId, grantId } = raised;
  tx.bidEvents.save({
    bidId,
    day,
    accountId,
    kind: "raised",
    adId,
    amountCents,
    atMs: nowMs,
    grantId,
  });
  await countCharged(tx, grantId, amountCents - bid.amountCents, nowMs);
}
