/**
 * What bidders are mailed when their day is settled.
 *
 * @module
 */
import type { PaymentMethod } from "../accounts/account.ts";
import {
  type AuctionHours,
  closesAtMs,
  type ShownWindow,
  windowText,
} from "../auction/auction.ts";
import type { Bid } from "../bids/bid.ts";
import { cardName } from "../cards/brand_name.ts";
import { addDays, type Day, dayOf, isoMinute } from "../day.ts";
import type { Invoice } from "../invoices/invoice.ts";
import type { MailContent, MailFact } from "../mail/mail_content.ts";
import { pageOf, PAGES } from "../pages.ts";
import type { Settings } from "../ports.ts";
import { showEuros } from "../text/euros.ts";
import { wordsOfVoid } from "./void_reasons.ts";

type Sender = Pick<Settings, "baseUrl" | "auctionHours" | "seller">;

/** What a card is called by. */
type NamedCard = Pick<PaymentMethod, "brand" | "last4">;

/** Whose bid it was, and which. */
export interface EndedBid {
  to: string;
  bid: Pick<Bid, "day" | "amountCents">;
  /** When the winner of its day is on show. */
  shown: ShownWindow;
}

/** Tells who won what was charged, and when the ad is shown, or was to be. */
export function wonMail(
  { baseUrl, seller }: Sender,
  { to, headline, shown, invoice: { day, number, totalCents } }: {
    to: string;
    headline: string;
    shown: ShownWindow;
    invoice: Pick<Invoice, "day" | "number" | "totalCents">;
  },
  nowMs: number,
): MailContent<"bid_won"> {
  const isOver = nowMs >= shown.untilMs;
  const reportUrl = `${baseUrl}${PAGES.reports}/${day}`;
  const invoiceUrl = `${baseUrl}${PAGES.invoices}/${
    encodeURIComponent(number)
  }`;
  return {
    kind: "bid_won",
    to,
    subject: isOver ? `You won ${day}` : `You won ${day}: your ad is on show`,
    parts: [
      isOver
        ? `Your bid for ${day} won and was paid, but its time on show was over ` +
          "before we could settle the day. If your ad was not shown, write to " +
          `${seller.email}: you get your money back.`
        : `Your bid for ${day} won, and your ad is the Spotlight.`,
      {
        facts: [
          ["Ad", headline],
          [isOver ? "Time on show" : "Shown", windowText(shown)],
          ["Charged", showEuros(totalCents)],
          ["Invoice", number],
        ],
      },
      { button: "See it as readers do", url: `${baseUrl}/spotlights/${day}` },
      { link: "Its clicks, as they are counted", url: reportUrl },
      { link: "The invoice", url: invoiceUrl },
    ],
  };
}

/** Tells who lost that nothing is charged, and when the next chance is. */
export function lostMail(
  { baseUrl, auctionHours }: Sender,
  ended: EndedBid,
  nowMs: number,
): MailContent<"bid_lost"> {
  const { to, bid } = ended;
  const next = nextAuction(auctionHours, bid.day, nowMs);
  return {
    kind: "bid_lost",
    to,
    subject: `Your bid for ${bid.day} did not win`,
    parts: [
      `Another bid won ${bid.day}, or none did. You are not charged.`,
      { facts: bidFacts(ended) },
      "Bids are sealed, so nobody learns what others bid. The auction for " +
      `${next.day} closes on ${isoMinute(next.closesAtMs)}.`,
      { button: `Bid for ${next.day}`, url: `${baseUrl}${PAGES.bids}` },
    ],
  };
}

/**
 * Tells whose payment failed why, what to do, and by when. Whether anybody else
 * bid is said to nobody: the next one's turn has yet to come.
 */
export function paymentFailedMail(
  sender: Sender,
  ended: EndedBid,
  refused: { card: NamedCard | null } | null,
  nowMs: number,
): MailContent<"bid_payment_failed"> {
  const { to, bid } = ended;
  return {
    kind: "bid_payment_failed",
    to,
    subject: `Your bid for ${bid.day} could not be charged`,
    parts: [
      ...refused === null
        ? unansweredParts(sender, ended)
        : refusedParts(sender, ended, refused.card, nowMs),
    ],
  };
}

function refusedParts(
  { baseUrl, auctionHours }: Sender,
  ended: EndedBid,
  card: NamedCard | null,
  nowMs: number,
): MailContent["parts"] {
  const { bid } = ended;
  const next = nextAuction(auctionHours, bid.day, nowMs);
  const name = card === null ? "The card of the bid" : `Your ${cardName(card)}`;
  return [
    `${name} was refused, so your bid for ${bid.day} did not win. You are ` +
    "not charged.",
    { facts: bidFacts(ended) },
    "Your account can't bid until you save another card, or choose one that " +
    `you have for future bids. To bid for ${next.day}, do so before its ` +
    `auction closes on ${isoMinute(next.closesAtMs)}.`,
    { button: "Replace your card", url: `${baseUrl}${PAGES.billing}` },
    "Your bank can tell you why it refused the card.",
  ];
}

function unansweredParts(
  { baseUrl, seller }: Sender,
  ended: EndedBid,
): MailContent["parts"] {
  return [
    "The payment for your bid could not be completed, so we cancelled it, and " +
    `the bid for ${ended.bid.day} did not win. You are not charged; should ` +
    "money be taken all the same, you get it back.",
    { facts: bidFacts(ended) },
    "There is nothing to do, and you can bid again. Questions? Write to " +
    `${seller.email}.`,
    { button: "Bid again", url: `${baseUrl}${PAGES.bids}` },
  ];
}

/** Tells whose bid is void why, and what to do about it. */
export function voidMail(
  { baseUrl }: Sender,
  ended: EndedBid,
  note: string,
): MailContent<"bid_void"> {
  const { to, bid } = ended;
  const { why, step, money = "You are not charged." } = wordsOfVoid(note);
  return {
    kind: "bid_void",
    to,
    subject: `Your bid for ${bid.day} is void`,
    parts: [
      `When ${bid.day} was settled, your bid could not win. ${money}`,
      { facts: [...bidFacts(ended), ["Why", why]] },
      step === null
        ? { button: "Bid again", url: `${baseUrl}${PAGES.bids}` }
        : { button: "See what to do", url: `${baseUrl}${pageOf(step)}` },
    ],
  };
}

function bidFacts(
  { bid: { day, amountCents }, shown }: EndedBid,
): MailFact[] {
  return [
    ["Bid", showEuros(amountCents)],
    ["Spotlight of", day],
    ["Would have been shown", windowText(shown)],
  ];
}

/**
 * The auction behind that of a day that is over, which is open or the next one
 * to open.
 */
function nextAuction(
  hours: AuctionHours,
  over: Day,
  nowMs: number,
): { day: Day; closesAtMs: number } {
  const today = dayOf(nowMs);
  // An operator may have closed it before its hour.
  const isOver = nowMs >= closesAtMs(today, hours) || today === over;
  const day = isOver ? addDays(today, 1) : today;
  return { day, closesAtMs: closesAtMs(day, hours) };
}
