import type { Account } from "../accounts/account.ts";
import { BID_STATUSES } from "../bids/bid.ts";
import { peekShownWindow } from "../auction/read_shown_windows.ts";
import {
  type Creative,
  type HouseAd,
  isApprovedAsItStands,
} from "../creatives/creative.ts";
import {
  BUILT_IN_HOUSE_AD,
  HOUSE_ADS_READ_MAX,
  inTurn,
  takeHouseTurn,
} from "../creatives/house_rotation.ts";
import { noticeBidders } from "../events/day_notice.ts";
import { noteEvents } from "../events/note_events.ts";
import { invariant } from "../invariant.ts";
import { bookWin } from "../invoices/invoice_books.ts";
import { recordInvoice } from "../invoices/record_invoice.ts";
import { queueMail } from "../mail/outbox_mail.ts";
import { withPartner } from "../partners/commission.ts";
import type { ProcessorInvoice } from "../payments/processor.ts";
import type { Settings, Transaction } from "../ports.ts";
import type { Spotlight } from "../spotlights/spotlight.ts";
import { advance } from "../state_machine.ts";
import { wonMail } from "./bid_mails.ts";
import { whyBlocked } from "./recheck.ts";
import {
  changeSettlement,
  invoiceOwner,
  type Saga,
  type Turn,
  withCandidate,
  withLeaseRenewed,
} from "./saga.ts";
import {
  AD_LOST,
  type Candidate,
  INVOICE_SOLD,
  type Settlement,
} from "./settlement.ts";
import type { UnpaidReason } from "./void_reasons.ts";

/** Whose bid was paid, and the ad that it was paid for; null for what is gone. */
interface PaidFor {
  account: Account | null;
  creative: Creative | null;
}

/**
 * Why a bid that was paid may not win any more: since its payment was asked for,
 * the approval of its ad was withdrawn, or its account was blocked. Null where it
 * may. What another store has sold to an account was sold to it before its block.
 */
export function whyTakenBack(
  { note }: Pick<Candidate, "note">,
  { account, creative }: PaidFor,
  settings: Settings,
): UnpaidReason | null {
  if (note === AD_LOST) return null;
  if (creative !== null && !isApprovedAsItStands(creative)) {
    const { state } = creative;
    invariant(state !== "approved", "what is approved is as it stands");
    return `the creative is ${state}`;
  }
  if (account === null || note === INVOICE_SOLD) return null;
  return whyBlocked(account, settings);
}

/** The same in a commit that has read the account, and may have no checks left. */
export async function whyTakenBackNow(
  { services: { settings } }: Saga,
  tx: Pick<Transaction, "peek" | "creatives">,
  { candidate }: Turn,
  account: Account | null,
): Promise<UnpaidReason | null> {
  const { accountId, adId } = candidate;
  const creative = await tx.peek(tx.creatives.ref(accountId, adId));
  return whyTakenBack(candidate, { account, creative }, settings);
}

/**
 * The one commit of a win: Spotlight, bid, books, account and saga together, so
 * that a day has at most one Spotlight and every charge is in the ledger.
 */
export async function publishWinner(
  saga: Saga,
  turn: Turn,
  paid: ProcessorInvoice,
): Promise<Settlement> {
  const { accountId, adId, bidId, copy } = turn.candidate;
  const [paymentId] = paid.paymentIds;
  const { services: { ids, settings } } = saga;
  const mailId = ids.next("mail"); // outside: attempts share it
  const shownContent = await contentOf(saga, turn);
  return await changeSettlement(saga, async (settlement, tx, nowMs) => {
    const [bid, account] = await tx.getMany([
      tx.bids.ref(saga.day, accountId),
      tx.accounts.ref(accountId),
    ]);
    invariant(bid !== null && bid.id === bidId, `bid ${bidId} stands`);
    if (await whyTakenBackNow(saga, tx, turn, account) !== null) {
      return withLeaseRenewed(settlement, nowMs);
    }
    advance(BID_STATUSES, bid.status, "won");
    tx.bids.save({ ...bid, status: "won" });
    if (account !== null) {
      tx.accounts.save({ ...account, paidWins: account.paidWins + 1 });
    }
    const owner = invoiceOwner(saga, turn);
    const invoice = await recordInvoice(tx, paid, owner, nowMs);
    invariant(invoice?.state === "paid", "what is won is paid");
    invariant(paymentId !== undefined, "what is paid was paid by a payment");
    bookWin(tx, withPartner(invoice, account), paymentId, nowMs);
    const { day } = saga;
    await noteEvents(tx, accountId, [
      { type: "bid.won", data: { day, bid_id: bidId, ad_id: adId } },
      {
        type: "invoice.paid",
        data: { invoice_number: invoice.number, day },
        atMs: invoice.paidAtMs,
      },
    ], nowMs);
    // What the mail says of the ad and its time on show would not be so.
    const isTold = account !== null && copy !== null;
    if (isTold) {
      const { email: to } = account;
      const shown = await peekShownWindow(tx, settings, day);
      const won = { to, headline: copy.headline, shown, invoice };
      const content = wonMail(settings, won, nowMs);
      queueMail(tx, { mailId, accountId, content }, nowMs);
    }
    await writeSpotlight(tx, { ...shownContent, day }, nowMs);
    const told = isTold && { mailId };
    const changes = { step: "won", passedOverAs: null, ...told } as const;
    return settled(withCandidate(settlement, turn, changes, nowMs));
  });
}

/**
 * Settles a day nobody won on the next house advertisement. Its turn is taken in
 * the commit of the Spotlight, so that a crash loses no turn and uses none up.
 */
export async function publishHouseAd(saga: Saga): Promise<Settlement> {
  const { store } = saga.services;
  const ads = await store.listHouseAds({ limit: HOUSE_ADS_READ_MAX });
  return await changeSettlement(saga, async (settlement, tx, nowMs) => {
    const content = asContent(saga, await takeHouseTurn(tx, ads));
    await writeSpotlight(tx, { ...content, day: saga.day }, nowMs);
    return settled(settlement);
  });
}

/** What is shown of who bought the day. */
async function contentOf(saga: Saga, { candidate }: Turn) {
  const { accountId, adId, bidId, copy, note } = candidate;
  if (note === AD_LOST) return await nextHouseAd(saga);
  invariant(copy !== null, `the copy of ${bidId} was kept at its re-check`);
  const contentType = "paid_advertisement" as const;
  return { ...copy, contentType, accountId, adId };
}

/**
 * The house advertisement whose turn is next, which it keeps: the commit of a win
 * checks as many records as it may without those of the turn.
 */
async function nextHouseAd(saga: Saga) {
  const { store } = saga.services;
  const [ads, rotation] = await Promise.all([
    store.listHouseAds({ limit: HOUSE_ADS_READ_MAX }),
    store.houseRotation.find(),
  ]);
  const [next = BUILT_IN_HOUSE_AD] = inTurn(ads, rotation);
  return asContent(saga, next);
}

function asContent({ services: { settings } }: Saga, ad: HouseAd) {
  return {
    headline: ad.headline,
    description: ad.description,
    advertiser: ad.advertiser,
    targetUrl: ad.targetUrl || settings.baseUrl,
    contentType: "house_advertisement",
    accountId: null,
    adId: null,
  } as const;
}

async function writeSpotlight(
  tx: Transaction,
  content: Omit<Spotlight, "settledAtMs" | "removedAtMs" | "removalReason">,
  nowMs: number,
): Promise<void> {
  const { day } = content;
  const [auction, existing] = await tx.getMany([
    tx.auctions.ref(day),
    tx.spotlights.ref(day),
  ]);
  invariant(existing === null, `day ${day} has no Spotlight yet`);
  invariant(
    auction !== null && auction.phase === "CLOSED" &&
      auction.settledAtMs === null,
    `the auction of ${day} is closed and not settled`,
  );
  tx.auctions.save({ ...auction, settledAtMs: nowMs });
  noticeBidders(tx, day, "settled", nowMs);
  tx.spotlights.save({
    ...content,
    settledAtMs: nowMs,
    removedAtMs: null,
    removalReason: null,
  });
  tx.touchSpotlights();
}

function settled(settlement: Settlement): Settlement {
  return {
    ...settlement,
    state: "settled",
    stall: null,
    leaseOwner: null,
    leaseUntilMs: 0,
  };
}
