/**
 * What the processor has of a day. No advertiser is charged before the invoices
 * of the day were listed: another bid's may be paid already, of which this store
 * knows nothing after a backup was restored.
 *
 * @module
 */
import { DAY_MS, startOfDayMs } from "../day.ts";
import { isNotedAsSold } from "../hold/hold.ts";
import type { InvoiceStatus, ListedInvoice } from "../payments/processor.ts";
import { isFullyRefunded } from "../invoices/is_fully_refunded.ts";
import { unlessUncertain } from "../payments/outcome.ts";
import { readUpTo } from "../payments/read_up_to.ts";
import type { Candidate, Settlement } from "./settlement.ts";
import {
  changeSettlement,
  type Saga,
  type Turn,
  withLeaseRenewed,
} from "./saga.ts";

/**
 * Invoices that are read, newest first. They begin with those of the day, so
 * many come together only in an outage of months.
 */
const READ_MAX = 1_000;

/** What has been paid, or still may be, best evidence first. */
const CLAIMING: readonly InvoiceStatus[] = ["paid", "open", "uncollectible"];

/**
 * Every invoice of the day, newest first; null when the processor does not say,
 * or has more than can be read. It is asked for a list by time: its search by
 * metadata lags behind by a minute, its lists do not.
 */
export async function invoicesOfDay(
  saga: Saga,
): Promise<ListedInvoice[] | null> {
  const { day, services: { clock, processor } } = saga;
  // A settlement begins after its day has; a day more, for clocks that differ.
  const span = {
    from: startOfDayMs(day) - DAY_MS,
    until: clock.now() + DAY_MS,
  };
  const read = await unlessUncertain(() =>
    readUpTo(READ_MAX, async (cursor, limit) => {
      // Many pages may take longer than one lease.
      if (cursor !== null) {
        await changeSettlement(
          saga,
          (settlement, _tx, nowMs) => withLeaseRenewed(settlement, nowMs),
        );
      }
      return await processor.listInvoices(span, cursor, limit);
    })
  );
  if (read === null || read.isCut) return null;
  return read.items.filter(({ metadata }) =>
    metadata["purpose"] === "spotlight" && metadata["day"] === day
  );
}

/** Whether the invoice has been paid, or still may be. */
export function isClaim({ status }: ListedInvoice): boolean {
  return CLAIMING.includes(status);
}

/**
 * The candidate's own invoice: one with money, else the newest. A draft of a
 * raise that this store has lost is none: nobody finalises it, so it charges
 * nothing.
 */
export function ownInvoice(
  invoices: readonly ListedInvoice[],
  { candidate }: Turn,
): ListedInvoice | null {
  const own = invoices.filter((each) =>
    each.metadata["bid_id"] === candidate.bidId &&
    (each.status !== "draft" || isDraftFor(each, candidate))
  );
  return mostDecided(own) ?? own[0] ?? null;
}

/** Nothing stands on it yet, or what was bid. */
function isDraftFor(draft: ListedInvoice, candidate: Candidate): boolean {
  const { amountCents } = candidate;
  const totalCents = draft.totalCents === 0 ? amountCents : draft.totalCents;
  return isAsBid({ ...draft, totalCents }, candidate);
}

/** Whether the invoice is for what the bid says, sum and creative. */
export function isAsBid(
  { totalCents, metadata }: Pick<ListedInvoice, "totalCents" | "metadata">,
  { amountCents, adId }: Candidate,
): boolean {
  return totalCents === amountCents && (metadata["ad_id"] ?? adId) === adId;
}

/** Another bid's invoice that is paid or may still be; see {@linkcode claimOnDay}. */
export function claimOfAnother(
  saga: Saga,
  { candidate, settlement }: Turn,
  invoices: readonly ListedInvoice[],
): Promise<ListedInvoice | null> {
  const others = invoices.filter(({ metadata }) =>
    metadata["bid_id"] !== candidate.bidId
  );
  return claimOnDay(saga, settlement, others);
}

/**
 * Of these invoices the one that has the day, as it is paid or may still be;
 * null when the day is free. Those of bids that were passed over are none: they
 * are void, and what is paid for them all the same is given back.
 */
export async function claimOnDay(
  saga: Saga,
  settlement: Settlement,
  invoices: readonly ListedInvoice[],
): Promise<ListedInvoice | null> {
  const passedOver = passedOverBids(settlement);
  let others = invoices.filter(({ metadata }) =>
    !passedOver.has(metadata["bid_id"] ?? "")
  );
  for (;;) {
    const claim = mostDecided(others);
    // A person has given all of its money back: the day is free again.
    if (claim === null || !await isFullyRefunded(saga.services, claim)) {
      return claim;
    }
    others = others.filter(({ id }) => id !== claim.id);
  }
}

/**
 * Whether an operator has noted, when the store was released, that the invoice
 * bought the day: its buyer, whose bid the backup has not, keeps it. Not while a
 * bank may still take the money back.
 */
export async function isNotedSale(
  { services: { store, processor } }: Saga,
  { id, status, paymentIds }: ListedInvoice,
): Promise<boolean> {
  const hold = await store.holds.find();
  if (status !== "paid" || hold === null || !isNotedAsSold(hold, id)) {
    return false;
  }
  for (const paymentId of paymentIds) {
    const asked = await unlessUncertain(() =>
      processor.listDisputesOf(paymentId)
    );
    if (!asked?.ok) return false;
    if (asked.value.some(({ standing }) => standing === "open")) return false;
  }
  return true;
}

function passedOverBids({ candidates }: Settlement): Set<string> {
  return new Set(
    candidates.filter(({ step }) => step === "passed_over")
      .map(({ bidId }) => bidId),
  );
}

/** Of several, whoever paid first. */
function mostDecided(
  invoices: readonly ListedInvoice[],
): ListedInvoice | null {
  const oldestFirst = invoices.toReversed();
  for (const status of CLAIMING) {
    const found = oldestFirst.find((each) => each.status === status);
    if (found !== undefined) return found;
  }
  return null;
}
