import { BID_STATUSES } from "../bids/bid.ts";
import { peekShownWindow } from "../auction/read_shown_windows.ts";
import {
  HOUSE_ADS_READ_MAX,
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
import type { Transaction } from "../ports.ts";
import type { Spotlight } from "../spotlights/spotlight.ts";
import { advance } from "../state_machine.ts";
import { wonMail } from "./bid_mails.ts";
import {
  changeSettlement,
  invoiceOwner,
  type Saga,
  type Turn,
  withCandidate,
} from "./saga.ts";
import type { Settlement } from "./settlement.ts";

/**
 * The one commit of a win: Spotlight, bid, books, account and saga together, so
 * that a day has at most one Spotlight and every charge is in the ledger.
 */
export function publishWinner(
  saga: Saga,
  turn: Turn,
  paid: ProcessorInvoice,
): Promise<Settlement> {
  const { accountId, adId, bidId, copy } = turn.candidate;
  const [paymentId] = paid.paymentIds;
  const { services: { ids, settings } } = saga;
  const mailId = ids.next("mail"); // outside: attempts share it
  invariant(copy !== null, `the copy of ${bidId} was kept at its re-check`);
  return changeSettlement(saga, async (settlement, tx, nowMs) => {
    const [bid, account] = await tx.getMany([
      tx.bids.ref(saga.day, accountId),
      tx.accounts.ref(accountId),
    ]);
    invariant(bid !== null && bid.id === bidId, `bid ${bidId} stands`);
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
    if (account !== null) {
      const { email: to } = account;
      const shown = await peekShownWindow(tx, settings, day);
      const won = { to, headline: copy.headline, shown, invoice };
      const content = wonMail(settings, won);
      queueMail(tx, { mailId, accountId, content }, nowMs);
    }
    await writeSpotlight(tx, {
      ...copy,
      day: saga.day,
      contentType: "paid_advertisement",
      accountId,
      adId,
    }, nowMs);
    const told = account !== null && { mailId };
    const changes = { step: "won", passedOverAs: null, ...told } as const;
    return settled(withCandidate(settlement, turn, changes, nowMs));
  });
}

/**
 * Settles a day nobody won on the next house advertisement. Its turn is taken in
 * the commit of the Spotlight, so that a crash loses no turn and uses none up.
 */
export async function publishHouseAd(saga: Saga): Promise<Settlement> {
  const { store, settings } = saga.services;
  const ads = await store.listHouseAds({ limit: HOUSE_ADS_READ_MAX });
  return await changeSettlement(saga, async (settlement, tx, nowMs) => {
    const ad = await takeHouseTurn(tx, ads);
    await writeSpotlight(tx, {
      day: saga.day,
      headline: ad.headline,
      description: ad.description,
      advertiser: ad.advertiser,
      targetUrl: ad.targetUrl || settings.baseUrl,
      contentType: "house_advertisement",
      accountId: null,
      adId: null,
    }, nowMs);
    return settled(settlement);
  });
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
    leaseOwner: null,
    leaseUntilMs: 0,
  };
}
