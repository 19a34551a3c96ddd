import { withoutVatMove } from "../accounts/account.ts";
import { type AuctionState, auctionStateOf } from "../auction/auction_state.ts";
import { namedByBid } from "../creatives/creative.ts";
import { DAY_MS, dayOf, startOfDayMs } from "../day.ts";
import {
  type Answered,
  answerOnce,
  done,
  type Said,
} from "../idempotency/answer_once.ts";
import { IDEMPOTENCY_LONG_MS } from "../idempotency/replay.ts";
import { invariant } from "../invariant.ts";
import { withTotalUse } from "../mandates/total_use.ts";
import type { Services, Transaction } from "../ports.ts";
import { precedesReplay, refusalFor } from "../readiness/refusal_for.ts";
import { increaseCents } from "../readiness/snapshot.ts";
import { refuse } from "../refusal.ts";
import type { Bid } from "../bids/bid.ts";
import { queueMail } from "../mail/outbox_mail.ts";
import { bidMail } from "./bid_mail.ts";
import { type BidState, type PlaceBid, readBidState } from "./bid_state.ts";

/** A row of use is kept a day beyond the one it counts. */
export const USE_KEPT_MS = 2 * DAY_MS;

/**
 * Places a bid or raises one's own, in one read and one commit: the bid, its
 * history, the mandate's use, the count of bidders, the mail of a day's first
 * bid and the answer that a repeat with the same key gets. The auction's record is among the checks, so no bid
 * lands once `close` has frozen the ranking. Decision 0030 says why.
 *
 * @throws {Refused} in the order of `refusalFor()`, `reviewed_card_changed`, and
 * the refusals of a key
 */
export function placeBid(
  services: Services,
  input: PlaceBid,
): Promise<Answered<AuctionState>> {
  // Outside: attempts share them.
  const newId = services.ids.next("bid");
  const mailId = services.ids.next("mail");
  const { binding } = input;
  return services.store.transact(async (tx) => {
    const state = await readBidState(services, tx, input);
    const { nowMs } = state.snapshot;
    const refusal = refusalFor(state.snapshot);
    if (refusal !== null && precedesReplay(refusal)) refuse(refusal);
    const keeping = { binding, nowMs, keptMs: IDEMPOTENCY_LONG_MS };
    return await answerOnce(tx, keeping, () => {
      if (refusal !== null) refuse(refusal);
      const bid = saveBid(tx, input, state, newId);
      if (state.snapshot.liveBid === null) {
        const content = bidMail(services.settings, state.snapshot, bid);
        const { accountId } = bid;
        queueMail(tx, { mailId, accountId, content }, nowMs);
      }
      saveUse(tx, state);
      return stateWith(state);
    });
  });
}

/**
 * The auction state with this bid in it. It is stored for replay, so it is made
 * before the commit and its count may lag bids that land at the same time.
 */
function stateWith(
  { snapshot, bidCount }: BidState,
): Said<AuctionState> {
  const { wanted, auction, liveBid, nowMs } = snapshot;
  invariant(wanted.day !== null, "a bid names its day");
  const count = liveBid === null ? bidCount + 1 : bidCount;
  return done(auctionStateOf(wanted.day, auction, count, nowMs));
}

function saveBid(
  tx: Transaction,
  { day, adId, amountCents, paymentMethodId, reviewedCardId }: PlaceBid,
  { snapshot }: BidState,
  newId: string,
): Bid {
  const { account, grant, liveBid, auction, creative, nowMs } = snapshot;
  invariant(auction && nowMs < auction.closesAtMs, "a bid is placed in time");
  invariant(
    liveBid === null || liveBid.status === "active",
    "the bids of an open auction are active",
  );
  // A raise binds the whole bid to the default card.
  const cardId = paymentMethodId ?? account.defaultPaymentMethodId;
  invariant(cardId !== null, "a bid that stands has a card to charge");
  if (reviewedCardId !== undefined && reviewedCardId !== cardId) {
    refuse({ code: "reviewed_card_changed" });
  }
  // Never before the bid it raises, by a clock that is behind the other's.
  const placedAtMs = Math.max(nowMs, liveBid?.placedAtMs ?? 0);
  const bid: Bid = {
    id: liveBid?.id ?? newId,
    day,
    accountId: account.id,
    adId,
    amountCents,
    status: "active",
    placedAtMs,
    paymentMethodId: cardId,
    grantId: grant?.id ?? null,
  };
  tx.bids.save(bid);
  tx.bidEvents.save({
    bidId: bid.id,
    day,
    accountId: account.id,
    kind: liveBid === null ? "placed" : "raised",
    adId,
    amountCents,
    atMs: placedAtMs,
    grantId: bid.grantId,
  });
  if (liveBid === null) tx.bidCounts.add(1, day);
  const freed = creative && namedByBid(creative);
  if (freed !== null) tx.creatives.save(freed);
  if (account.vatMove !== undefined) {
    tx.accounts.save(withoutVatMove(account));
  }
  return bid;
}

function saveUse(tx: Transaction, { snapshot }: BidState): void {
  const { grant, usedCents, nowMs } = snapshot;
  if (grant === null) return;
  const { mandate } = grant;
  const added = increaseCents(snapshot);
  const used = usedCents + added;
  invariant(
    mandate !== null && used <= mandate.dailyCapCents,
    "the use of a mandate never passes its daily cap",
  );
  const counted = withTotalUse(grant, added, nowMs);
  const { totalCapCents = Infinity } = mandate;
  invariant(
    (counted?.totalUse.usedCents ?? Infinity) <= totalCapCents,
    "the use of a mandate never passes its total",
  );
  if (counted !== null) tx.grants.save(counted);
  const day = dayOf(nowMs);
  const expiresAtMs = startOfDayMs(day) + USE_KEPT_MS;
  tx.mandateUses.save({ grantId: grant.id, day, usedCents: used, expiresAtMs });
}
