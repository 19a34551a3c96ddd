import {
  type AuctionHours,
  clockTime,
} from "../../../domain/auction/auction.ts";
import { DESCRIPTION, HEADLINE } from "../../../domain/creatives/read_copy.ts";
import { TemporaryFailure } from "../../../domain/failure.ts";
import { MIN_BID_CENTS } from "../../../domain/limits.ts";
import { parseCode } from "../../../domain/partners/create_link.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  type MedianClicks,
  medianClicksReader,
} from "../../../domain/reports/median_clicks.ts";
import type { PublicRecords } from "../../../domain/spotlights/public_records.ts";
import type { Html } from "../../pages/html.ts";
import { queryParam } from "../../http/query.ts";
import { PublicPages } from "../../pages/page_answer.ts";
import { type Route, route } from "../../route_table.ts";
import { ADVERTISE_PAGE } from "../ui/stage.tsx";
import { Stats } from "../ui/stats.tsx";
import { showEuros, thousands } from "../../../domain/text/euros.ts";
import { AUCTION_PAGE } from "./auction_page.tsx";
import { Page } from "./page.tsx";

/** The page for who may want to advertise. */
export function advertisePage(
  { records, services }: {
    records: PublicRecords;
    services: Pick<Services, "store" | "clock" | "settings">;
  },
): Route {
  const { auctionHours: hours, baseUrl } = services.settings;
  const readMedian = medianClicksReader(services);
  const pages = new PublicPages();
  return route("GET", ADVERTISE_PAGE, async (context) => {
    const readers = await unlessUnavailable(() => readMedian(records.snapshot));
    const code = parseCode(queryParam(context, "ref"));
    const key = JSON.stringify([readers, code]);
    return pages.answer(
      context,
      { state: records.snapshot, key },
      () => <AdvertisePage {...{ hours, baseUrl, readers, code }} />,
    );
  });
}

/** The page says all else without a store. */
async function unlessUnavailable<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (failure) {
    if (failure instanceof TemporaryFailure) return null;
    throw failure;
  }
}

function AdvertisePage(
  { hours, baseUrl, readers, code }: {
    hours: AuctionHours;
    baseUrl: string;
    readers: MedianClicks | null;
    /** Of the partner's link that led here; null for none. */
    code: string | null;
  },
): Html {
  const first = PAGES.onboarding;
  const start = code === null
    ? first
    : `/sign-in?ref=${code}&next=${encodeURIComponent(first)}`;
  return (
    <Page
      title="Advertise"
      heading="Be the one ad of the day"
      description="What a Spotlight is, who may buy one, what it costs and how to start."
      canonicalUrl={`${baseUrl}${ADVERTISE_PAGE}`}
    >
      <p class="lead">
        Spotlight shows one advertisement at a time. Bid for a day; if your bid
        is the highest, the whole stage is yours.
      </p>
      <InShort readers={readers} />
      <p class="buttons">
        <a class="button main" href={start}>Start now</a>
        <span class="quiet">
          You sign in with a code by mail; there is no password.
        </span>
      </p>
      <WhatYouBuy hours={hours} />
      <WhoMay />
      <WhatItCosts />
      <Steps hours={hours} />
      <HouseRules />
      <p>
        Ready? <a href={start}>Begin with step one</a>
      </p>
    </Page>
  );
}

function WhatYouBuy({ hours }: { hours: AuctionHours }) {
  const closes = clockTime(hours.closesAtMinute);
  return (
    <>
      <h2>What you buy</h2>
      <ul>
        <li>
          <strong>The place, alone.</strong>{" "}
          No other ad is on the page. Yours is shown from {closes}{" "}
          UTC, when the auction closes, to {closes}{" "}
          UTC the next day, and stays in the archive.
        </li>
        <li>
          <strong>Text and one link.</strong> A headline of up to {HEADLINE.max}
          {" "}
          characters, a description of up to{" "}
          {DESCRIPTION.max}, and a button to your page. No images, no tracking.
        </li>
        <li>
          <strong>An honest label.</strong>{" "}
          “Paid advertisement” stands above it, your company’s name below it.
        </li>
        <li>
          <strong>Figures.</strong>{" "}
          Human clicks by hour and country, without robots and repeats.
        </li>
      </ul>
    </>
  );
}

/** What decides whether one reads on, in three figures. */
function InShort({ readers }: { readers: MedianClicks | null }) {
  const brings = readers === null ? [] : [{
    name: "A day brings",
    value: `${thousands(`${readers.humanClicks}`)} human clicks`,
    hint: `the median of the last ${readers.days} paid days`,
  }];
  return (
    <Stats
      of={[
        ...brings,
        {
          name: "Bids start at",
          value: showEuros(MIN_BID_CENTS),
          hint: "charged only if yours wins",
        },
        {
          name: "Open to",
          value: "EU companies",
          hint: "with a valid VAT id",
        },
      ]}
    />
  );
}

function WhoMay() {
  return (
    <>
      <h2>Who may advertise</h2>
      <p>
        Companies in the European Union with a valid VAT id, one account each.
        Whoever bids for the company proves who they are with a passport, an
        identity card or a driving licence. Companies elsewhere cannot advertise
        yet.
      </p>
    </>
  );
}

function WhatItCosts() {
  return (
    <>
      <h2>What it costs</h2>
      <p>
        What you bid, at least{" "}
        {showEuros(MIN_BID_CENTS)}, any VAT included, and only if you win. Bids
        are sealed: nobody sees yours, before or after.{" "}
        <a href={AUCTION_PAGE}>How it works</a>
      </p>
    </>
  );
}

function Steps({ hours }: { hours: AuctionHours }) {
  return (
    <>
      <h2>Five steps to your first bid</h2>
      <ol class="steps">
        <li>Sign in and enter your company and its VAT id.</li>
        <li>Save a card. Nothing is charged or held for a bid.</li>
        <li>Prove your identity.</li>
        <li>
          Write your ad. A person reviews it, usually within a day; you bid once
          it is approved.
        </li>
        <li>
          Bid any day until {clockTime(hours.closesAtMinute)}{" "}
          UTC, or let a software agent bid within limits that you set.
        </li>
      </ol>
    </>
  );
}

function HouseRules() {
  return (
    <>
      <h2>House rules</h2>
      <p>
        True, lawful and your own. No political advertising, no deception, no
        instructions to software agents, nothing that only seems to come from
        somebody else. All of them:{" "}
        <a href="/developers#creative-policies">creative policies</a>.
      </p>
    </>
  );
}
