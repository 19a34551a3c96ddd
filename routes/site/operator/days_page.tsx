import type { DayReport } from "../../../domain/settlement/read_day_report.ts";
import type { DeskDays } from "../../../domain/settlement/read_desk_day.ts";
import type { Html } from "../../pages/html.ts";
import { Button, Field } from "../pages/forms.tsx";
import { Page } from "../pages/page.tsx";
import { DayTime } from "../ui/day_time.tsx";
import { Table } from "../ui/table.tsx";
import { dayPath, DAYS_PATH } from "./paths.ts";
import { Around } from "../ui/around.tsx";

/** `/operator/days`: every day, newest first, and how each has ended. */
export function DaysPage(
  { found: { days, older }, isFirst, sought, error }: {
    found: DeskDays;
    /** Nothing newer is on another page. */
    isFirst: boolean;
    sought: string;
    error: string | null;
  },
): Html {
  return (
    <Page title="Days">
      <form method="get" action={DAYS_PATH} class="search">
        <Field
          name="day"
          label="Open a day"
          type="date"
          value={sought}
          error={error}
        />
        <Button kind="plain">Open</Button>
      </form>
      {days.length === 0 ? <p>No day has begun.</p> : (
        <Table
          id="days"
          caption="Auctions by day"
          columns={[
            { name: "Day" },
            { name: "Bidders", numeric: true },
            { name: "How it stands" },
          ]}
          rows={days.map((each) => [
            <a href={dayPath(each.day)}>
              <DayTime day={each.day} short />
            </a>,
            each.state.bidCount,
            <Standing report={each} />,
          ])}
        />
      )}
      <Around
        label="Further days"
        ways={[
          older !== null &&
          [`${DAYS_PATH}?before=${older}`, "Older days", "next"],
          !isFirst && [DAYS_PATH, "Newest days"],
        ]}
      />
    </Page>
  );
}

/** How a day stands, in a few words. */
export function Standing({ report }: { report: DayReport }): Html {
  const { spotlight, settlement, state } = report;
  if (spotlight !== null) {
    if (spotlight.removedAtMs !== null) return <strong>Removed</strong>;
    return spotlight.contentType === "house_advertisement"
      ? <>House advertisement</>
      : (
        <>
          Sold to <bdi>{spotlight.advertiser}</bdi>
        </>
      );
  }
  if (settlement !== null) return <strong>Being settled</strong>;
  if (state.phase === "OPEN") return <>Open</>;
  return state.phase === "CLOSED"
    ? <strong>Closed, not settled yet</strong>
    : <>Not opened</>;
}
