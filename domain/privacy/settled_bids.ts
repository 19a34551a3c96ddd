/**
 * What the books and the audit of a day that has settled need of the bids of an
 * erased account: of one with an invoice what that says, of any other that it was
 * ranked, where, and how far it came. A day that is being settled is not touched.
 *
 * @module
 */
import { isBeingSettled } from "../auction/auction.ts";
import type { Bid } from "../bids/bid.ts";
import type { Day } from "../day.ts";
import { untilNone } from "../every_record.ts";
import type { Store } from "../ports.ts";
import type { Candidate, Settlement } from "../settlement/settlement.ts";

/** Stands where a text was taken away: earlier versions expect one there. */
const NONE = "";

/** The day without what its ranking says of the account beyond that. */
export function emptiedDay(
  settlement: Settlement,
  { accountId, isInvoiced }: { accountId: string; isInvoiced: boolean },
): Settlement {
  const candidates = settlement.candidates.map((candidate) =>
    candidate.accountId === accountId
      ? emptiedCandidate(candidate, isInvoiced)
      : candidate
  );
  return { ...settlement, candidates };
}

function emptiedCandidate(
  candidate: Candidate,
  isInvoiced: boolean,
): Candidate {
  const { grantId: _grant, mailId: _mail, vat, ...rest } = candidate;
  const emptied: Candidate = {
    ...rest,
    paymentMethodId: NONE,
    customerId: null,
    copy: null,
    cardRefused: false,
    // Of who was passed over it says what is the matter with account or card.
    note: candidate.step === "won" ? candidate.note : null,
  };
  return isInvoiced
    ? { ...emptied, ...vat && { vat } }
    : { ...emptied, adId: NONE, amountCents: 0, invoiceId: null };
}

/** A bid that stays with its invoice, which names neither card nor agent. */
export function emptiedBid(bid: Bid): Bid {
  return { ...bid, paymentMethodId: NONE, grantId: null };
}

/** Removes every amount that a bid had. The last one is in its invoice. */
export async function eraseBidEvents(
  { store }: { store: Pick<Store, "transact" | "listBidEvents"> },
  { bidId }: { bidId: string },
): Promise<void> {
  await untilNone(
    (limit) => store.listBidEvents(bidId, { limit }),
    (events) =>
      store.transact((tx) =>
        events.forEach((event) => tx.bidEvents.remove(event))
      ),
  );
}

/**
 * Takes from a day what erasures of earlier versions left of the bids on it. A bid
 * that was left has an invoice.
 */
export async function eraseLeftBids(
  services: { store: Pick<Store, "transact" | "listBidEvents"> },
  { day, candidates }: Pick<Settlement, "day" | "candidates">,
): Promise<void> {
  for (const { accountId, bidId } of candidates) {
    const isErased = await eraseLeftBid(services, { day, accountId });
    if (isErased) await eraseBidEvents(services, { bidId });
  }
}

/** A commit for each bid: those of a day have more rows than one may read. */
function eraseLeftBid(
  { store }: { store: Pick<Store, "transact"> },
  { day, accountId }: { day: Day; accountId: string },
): Promise<boolean> {
  return store.transact(async (tx) => {
    const [settlement, auction, erased, bid] = await tx.getMany([
      tx.settlements.ref(day),
      tx.auctions.ref(day),
      tx.erasedAccounts.ref(accountId),
      tx.bids.ref(day, accountId),
    ]);
    const isLeft = erased !== null && settlement?.state === "settled" &&
      !isBeingSettled(auction);
    if (!isLeft) return false;
    const isInvoiced = bid !== null;
    tx.settlements.save(emptiedDay(settlement, { accountId, isInvoiced }));
    if (bid !== null) tx.bids.save(emptiedBid(bid));
    return true;
  });
}
