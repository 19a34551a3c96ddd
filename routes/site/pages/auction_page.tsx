import {
  type AuctionHours,
  clockTime,
  shownWindow,
  windowText,
} from "../../../domain/auction/auction.ts";
import { dayOf } from "../../../domain/day.ts";
import {
  MAX_BID_CENTS,
  MIN_BID_CENTS,
  SETTLEMENT_CANDIDATES_MAX,
} from "../../../domain/limits.ts";
import { type Route, route } from "../../route_table.ts";
import { ADVERTISE_PAGE } from "../ui/stage.tsx";
import { thousands } from "../../../domain/text/euros.ts";
import type { Html } from "../../pages/html.ts";
import { Layout } from "../../pages/layout.tsx";
import { SharedPage, sharedPageAnswer } from "../../pages/page_answer.ts";

/** A day to explain by; it needs to be none of the calendar of now. */
const EXAMPLE_DAY = dayOf(Date.UTC(2026, 10, 22));

/** Where the rules of the auction are published. */
export const AUCTION_PAGE = "/how-the-auction-works";

/** The page with the rules of the auction, in plain words. */
export function auctionPage(hours: AuctionHours, baseUrl: string): Route {
  const page = new SharedPage(<AuctionRules hours={hours} baseUrl={baseUrl} />);
  return route(
    "GET",
    AUCTION_PAGE,
    (context) => sharedPageAnswer(context, page),
  );
}

function AuctionRules(
  { hours, baseUrl }: { hours: AuctionHours; baseUrl: string },
): Html {
  const opens = clockTime(hours.opensAtMinute);
  const closes = clockTime(hours.closesAtMinute);
  return (
    <Layout
      title="How the auction works – Spotlight"
      description="When the auction of a day opens and closes, who wins, what it costs, and what happens when a card is refused."
      canonicalUrl={`${baseUrl}${AUCTION_PAGE}`}
    >
      <h1>How the auction works</h1>
      <p>
        Every day of the calendar has one auction and one Spotlight. Advertisers
        bid for a day; the highest bid wins and is shown to everyone.
      </p>
      <h2>When</h2>
      <p>
        The auction of a day opens at {opens} and closes at{" "}
        {closes}, both UTC. A bid counts if it was placed before closing time,
        or before the day was closed where an operator had to close it early;
        nothing lengthens an auction.
      </p>
      <h2>Which day you buy</h2>
      <p>
        A day is shown from its own closing until the next day’s: who wins 22
        November is shown{" "}
        {windowText(shownWindow(EXAMPLE_DAY, hours))}. That window is what you
        bid for, and what the invoice names as supplied.
      </p>
      <h2>Who wins and what it costs</h2>
      <ul>
        <li>
          Bids are sealed: nobody sees an amount, a rank or a bidder but their
          own. Amounts stay secret after the day has settled, too.
        </li>
        <li>
          The highest bid wins and pays what it bid, VAT included where it is
          due. Losing bids pay nothing, and no money is held.
        </li>
        <li>
          Of equal bids, the one that reached its amount first wins.
        </li>
        <li>
          A bid is from {euros(MIN_BID_CENTS)} to{" "}
          {euros(MAX_BID_CENTS)}, in whole cents.
        </li>
      </ul>
      <h2>Bidding</h2>
      <ul>
        <li>
          Each advertiser has one bid a day. It can be raised, by a cent or
          more, but neither lowered nor withdrawn. A raise counts from its own
          moment, may name another approved advertisement, and is charged to the
          account’s default card.
        </li>
        <li>
          The operator of Spotlight never bids, and a company has one account.
        </li>
        <li>
          Software agents bid by the same rules, within a mandate that the
          advertiser approved.
        </li>
      </ul>
      <Settling />
    </Layout>
  );
}

function Settling(): Html {
  return (
    <>
      <h2>Settling</h2>
      <ul>
        <li>
          After closing, the best bid is charged. If its card is refused, or the
          advertiser or advertisement no longer qualifies, the next one is
          charged its own bid, {SETTLEMENT_CANDIDATES_MAX}{" "}
          at most. Nobody else is charged while a payment is uncertain.
        </li>
        <li>
          If we can settle a day only when its time on show is over, as after a
          long outage, nobody is charged for it.
        </li>
        <li>
          If nobody wins, the day shows an advertisement of our own, marked as
          such.
        </li>
        <li>
          The Spotlight of a day stays the current one until the next day has
          settled, and stays readable afterwards unless it has to be removed.
        </li>
      </ul>
      <p>
        <a class="button" href={ADVERTISE_PAGE}>Advertise here</a>
      </p>
    </>
  );
}

function euros(cents: number): string {
  return `EUR ${thousands(String(Math.floor(cents / 100)))}`;
}
