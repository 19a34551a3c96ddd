import type { ShownWindow } from "../../../domain/auction/auction.ts";
import type { NotHumanReason } from "../../../domain/clicks/click.ts";
import { PAGES } from "../../../domain/pages.ts";
import { FEW } from "../../../domain/reports/hide_few.ts";
import {
  type Report,
  UNKNOWN_COUNTRY,
} from "../../../domain/reports/read_reports.ts";
import { countryName, isCountry } from "../../../domain/tax/countries.ts";
import type { Html } from "../../pages/html.ts";
import { invoicePath } from "../invoices/invoices_view.ts";
import { showEuros, thousands } from "../../../domain/text/euros.ts";
import { Moment } from "../pages/moment.tsx";
import { type Fact, Facts, Page } from "../pages/page.tsx";
import { dayName, DayTime } from "../ui/day_time.tsx";
import { ShareBar } from "../ui/plot.tsx";
import { ShownTimes } from "../ui/shown_window.tsx";
import { Stats } from "../ui/stats.tsx";
import { Table } from "../ui/table.tsx";
import { HourPlot } from "./hour_plot.tsx";
import { reportPath } from "./reports_page.tsx";
import { costOfClick, keptCents } from "./reports_view.ts";

/** Why a request was not a person's click, in plain words. */
const NOT_COUNTED: Readonly<Record<NotHumanReason, string>> = {
  repeat: "The same visitor again within half an hour",
  bot: "Programs that call themselves robots",
  ai_fetcher: "AI assistants and agents that read pages",
  preview: "Previews of links in chats and networks",
  head: "Programs that checked the link without opening it",
  no_user_agent: "Programs that did not say what they are",
  embedded: "Loaded inside another page, where nobody saw it",
  prefetch: "Loaded by a browser ahead of any click",
};

/** `/reports/{day}`: what one day brought, and what it cost. */
export function ReportPage(
  { report, shown, askAt }: {
    report: Report;
    shown: ShownWindow;
    askAt: string;
  },
): Html {
  const { day, headline } = report;
  return (
    <Page title={`Report of ${dayName(day)}`}>
      <p>
        <bdi>{headline}</bdi>
        <br />
        <span class="quiet">
          Shown <ShownTimes {...shown} />
        </span>
      </p>
      <Standing report={report} askAt={askAt} />
      <KeyFigures {...report} />
      <section>
        <h2>Human clicks by hour</h2>
        <HourPlot {...report} shown={shown} />
      </section>
      <Countries {...report} />
      <NotCounted {...report} />
      <Cost {...report} />
      <p class="screen">
        <a href={`${reportPath(day)}/csv`} download>
          Download this report as CSV
        </a>
      </p>
    </Page>
  );
}

/** What a reader has to know before the figures. */
function Standing(
  { report: { removedAtMs, removalReason, final }, askAt }: {
    report: Report;
    askAt: string;
  },
) {
  return (
    <>
      {removedAtMs !== null && (
        <div class="note warning">
          <p>
            We removed this Spotlight on{" "}
            <Moment atMs={removedAtMs} />. The figures are those until then, and
            of links that others kept.
          </p>
          {removalReason !== null && (
            <p>
              Why: <bdi>{removalReason}</bdi>
            </p>
          )}
          <p>
            If you think this is a mistake, write to{" "}
            <a href={`mailto:${askAt}`}>{askAt}</a>.
          </p>
        </div>
      )}
      {!final && (
        <p class="note">
          Still counting. The figures are final 48 hours after the next
          Spotlight took the place.
        </p>
      )}
    </>
  );
}

function KeyFigures({ humanClicks, clicks, spend }: Report) {
  const kept = keptCents(spend);
  return (
    <Stats
      of={[
        {
          name: "Human clicks",
          value: thousands(`${humanClicks}`),
          hint: `of ${thousands(`${clicks}`)} in all`,
        },
        {
          name: "Cost of a human click",
          value: costOfClick(kept, humanClicks) ?? "–",
        },
        {
          name: "Spent",
          value: showEuros(kept),
          hint: spend.refundedCents > 0
            ? `${showEuros(spend.refundedCents)} given back`
            : null,
        },
      ]}
    />
  );
}

function Countries({ byCountry, humanClicks }: Report) {
  const counts = byCountry?.shown.map(({ count }) => count) ?? [];
  const largest = Math.max(0, byCountry?.other ?? 0, ...counts);
  const of = { all: humanClicks, largest };
  return (
    <section>
      <h2>By country</h2>
      {byCountry === null
        ? <p>Countries are shown once the figures are final.</p>
        : humanClicks === 0
        ? <p>Nobody has clicked.</p>
        : (
          <Table
            id="countries"
            caption={`Countries with ${FEW} human clicks or more`}
            columns={[
              { name: "Country" },
              { name: "Human clicks", numeric: true },
              { name: "Share" },
            ]}
            rows={[
              ...byCountry.shown.map(({ value, count }) =>
                shareRow(nameOf(value), count, of)
              ),
              ...byCountry.other === 0
                ? []
                : [shareRow("All others", byCountry.other, of)],
            ]}
          />
        )}
    </section>
  );
}

function shareRow(
  name: string,
  count: number,
  of: { all: number; largest: number },
) {
  return [name, thousands(`${count}`), <ShareBar of={count} {...of} />];
}

function nameOf(country: string): string {
  if (country === UNKNOWN_COUNTRY) return "Not known";
  return isCountry(country) ? countryName(country) : country;
}

function NotCounted({ byOutcome }: Report) {
  const reasons = Object.entries(NOT_COUNTED) as [NotHumanReason, string][];
  const found = reasons.filter(([reason]) => byOutcome[reason] > 0);
  return (
    <section>
      <h2>What was not counted</h2>
      {found.length === 0
        ? <p>Nothing: every request was a person’s click.</p>
        : (
          <Table
            id="not-counted"
            caption="Requests that are no human clicks, and why"
            columns={[
              { name: "Why" },
              { name: "Requests", numeric: true },
            ]}
            rows={found.map(([reason, words]) => [
              words,
              thousands(`${byOutcome[reason]}`),
            ])}
          />
        )}
    </section>
  );
}

function Cost({ day, spend, removedAtMs }: Report) {
  const { totalCents, refundedCents, invoiceNumber } = spend;
  const facts: Fact[] = [
    [
      "Your bid",
      <>
        {showEuros(totalCents)} (<a href={`${PAGES.bids}?through=${day}`}>
          your bids until this day
        </a>)
      </>,
    ],
    refundedCents > 0 && ["Given back", showEuros(refundedCents)],
    invoiceNumber !== null && [
      "Invoice",
      <a href={invoicePath(invoiceNumber)}>{invoiceNumber}</a>,
    ],
    removedAtMs === null && [
      "What readers saw",
      <a href={`/spotlights/${day}`}>
        Spotlight of <DayTime day={day} />
      </a>,
    ],
  ];
  return (
    <section>
      <h2>What it cost</h2>
      <Facts of={facts} />
    </section>
  );
}
