import {
  type AuctionHours,
  clockTime,
} from "../../../domain/auction/auction.ts";
import { addDays, type Day } from "../../../domain/day.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { ReportLine } from "../../../domain/reports/read_reports.ts";
import type { Html } from "../../pages/html.ts";
import {
  showAmount,
  showEuros,
  thousands,
} from "../../../domain/text/euros.ts";
import { Page } from "../pages/page.tsx";
import { dayName, DayTime, shortDay } from "../ui/day_time.tsx";
import { BarPlot } from "../ui/plot.tsx";
import { Stats } from "../ui/stats.tsx";
import { Table } from "../ui/table.tsx";
import {
  costOfClick,
  keptCents,
  REPORT_SPAN_DAYS,
  type ReportsView,
} from "./reports_view.ts";
import { Around } from "../ui/around.tsx";

/** The page that a day's report has. */
export function reportPath(day: Day): string {
  return `${PAGES.reports}/${day}`;
}

/** `/reports`: what thirty days of advertising brought, and each day that was won. */
export function ReportsPage(
  { view, hours, hasWon }: {
    view: ReportsView;
    hours: AuctionHours;
    hasWon: boolean;
  },
): Html {
  const { lines, from, to } = view;
  const closes = clockTime(hours.closesAtMinute);
  return (
    <Page title="Your reports">
      {hasWon
        ? (
          <>
            <p>
              <DayTime day={from} /> to <DayTime day={to} />
              <br />
              <span class="quiet">
                The ad of a day is shown from {closes} UTC on that day to{" "}
                {closes} UTC on the next.
              </span>
            </p>
            {lines.length === 0
              ? <p>You won none of these {REPORT_SPAN_DAYS} days.</p>
              : <Figures {...view} />}
            <Further {...view} />
          </>
        )
        : <NeverWon />}
    </Page>
  );
}

function NeverWon() {
  return (
    <>
      <p>
        You have not won a day yet. Each day that you win has a report: the
        people who clicked, by hour and by country, what was not counted, and
        what a click cost.
      </p>
      <p>
        <a class="button main" href={PAGES.bids}>Bid for a day</a>
      </p>
    </>
  );
}

function Figures(view: ReportsView) {
  const { lines, to } = view;
  const clicks = lines.reduce((sum, { humanClicks }) => sum + humanClicks, 0);
  const kept = lines.reduce((sum, { spend }) => sum + keptCents(spend), 0);
  return (
    <>
      <Stats
        of={[
          { name: "Human clicks", value: thousands(`${clicks}`) },
          {
            name: "Cost of a human click",
            value: costOfClick(kept, clicks) ?? "–",
          },
          { name: "Spent", value: showEuros(kept) },
          { name: "Days won", value: lines.length },
        ]}
      />
      <DaysPlot {...view} />
      <Table
        id="days"
        caption="Days won, the newest first"
        columns={[
          { name: "Day" },
          { name: "Human clicks", numeric: true },
          { name: "Cost of a click", numeric: true, roomy: true },
          { name: "Spent, EUR", numeric: true },
        ]}
        rows={lines.map((line) => [
          <DayCell {...line} />,
          thousands(`${line.humanClicks}`),
          costOfClick(keptCents(line.spend), line.humanClicks) ?? "–",
          showAmount(keptCents(line.spend)),
        ])}
      />
      <p class="screen">
        <a href={`${PAGES.reports}/csv?to=${to}`} download>
          Download these days as CSV
        </a>
      </p>
    </>
  );
}

function DaysPlot({ lines, from, to }: ReportsView) {
  const byDay = new Map(lines.map((line) => [line.day, line.humanClicks]));
  const days = Array.from(
    { length: REPORT_SPAN_DAYS },
    (_, at) => addDays(from, at),
  );
  const [best] = lines.toSorted((a, b) => b.humanClicks - a.humanClicks);
  return (
    <BarPlot
      id="days-plot"
      title={`Human clicks a day, ${dayName(from)} to ${dayName(to)}`}
      description={best === undefined
        ? "No day was won."
        : `${lines.length} of ${days.length} days were won. Most clicks: ` +
          `${best.humanClicks} on ${dayName(best.day)}. The table below has ` +
          "every day."}
      bars={days.map((day) => ({
        name: dayName(day),
        value: byDay.get(day) ?? null,
      }))}
      marks={[from, addDays(from, REPORT_SPAN_DAYS / 2), to].map(shortDay)}
    />
  );
}

function DayCell({ day, headline, removedAtMs, spend, final }: ReportLine) {
  const notes = [
    removedAtMs !== null && "removed",
    spend.refundedCents > 0 && `${showEuros(spend.refundedCents)} given back`,
    !final && "still counting",
  ].filter((note) => note !== false);
  return (
    <>
      <a href={reportPath(day)}>
        <DayTime day={day} />
      </a>
      <span class="quiet">
        <bdi>{headline}</bdi>
      </span>
      {notes.length > 0 && <span class="label">{notes.join(", ")}</span>}
    </>
  );
}

function Further({ older, newer }: ReportsView) {
  const to = (day: Day) => `${PAGES.reports}?to=${day}`;
  return (
    <Around
      label="Other days"
      ways={[
        older !== null &&
        [to(older), `${REPORT_SPAN_DAYS} days before`, "next"],
        newer !== null && [to(newer), `${REPORT_SPAN_DAYS} days after`, "prev"],
      ]}
    />
  );
}
