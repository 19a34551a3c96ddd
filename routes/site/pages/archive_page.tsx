import type { Day } from "../../../domain/day.ts";
import type { Month } from "../../../domain/month.ts";
import type { Html } from "../../pages/html.ts";
import type { Advertisement } from "../ui/stage.tsx";
import { monthName } from "../ui/day_time.tsx";
import { DayList } from "./day_list.tsx";
import { Field, Select } from "./forms.tsx";
import { Page } from "./page.tsx";
import { Around } from "../ui/around.tsx";

/** Longest text that is looked for. */
export const QUERY_MAX = 100;

/** What is looked for: empty texts for everything. */
export interface ArchiveQuery {
  text: string;
  /** `2026-11`. */
  month: Month | null;
}

/** `/spotlights`: all days, a page at a time, newest first. */
export function ArchivePage(props: {
  query: ArchiveQuery;
  /** All that have a Spotlight, newest first. */
  months: readonly Month[];
  days: readonly Advertisement[];
  /** The newest day of the page with newer ones; null on the first. */
  newer: boolean;
  nextCursor: Day | null;
}): Html {
  const { query, months, days, newer, nextCursor } = props;
  const isAll = query.text === "" && query.month === null;
  return (
    <Page
      title="Archive"
      description="Every advertisement that was shown, by day."
      jsonUrl="/api/v1/spotlights"
    >
      <form method="get" action="/spotlights" class="search" role="search">
        <Field
          name="q"
          label="Words or advertiser"
          value={query.text}
          maxlength={QUERY_MAX}
        />
        <Select name="month" label="Month">
          <option value="">Any month</option>
          {months.map((month) => (
            <option value={month} selected={month === query.month}>
              {monthName(month)}
            </option>
          ))}
        </Select>
        <button type="submit" class="plain">Search</button>
      </form>
      {days.length > 0 ? <DayList days={days} /> : (
        <p>
          {isAll
            ? "No earlier Spotlight has been published."
            : "No Spotlight matches."}
        </p>
      )}
      <Around
        label="Further days"
        ways={[
          nextCursor !== null &&
          [hrefOf(query, nextCursor), "Older days", "next"],
          newer && [hrefOf(query, null), "Newest days"],
          !isAll && ["/spotlights", "All days"],
        ]}
      />
    </Page>
  );
}

function hrefOf({ text, month }: ArchiveQuery, before: Day | null): string {
  const query = new URLSearchParams();
  if (text !== "") query.set("q", text);
  if (month !== null) query.set("month", month);
  if (before !== null) query.set("before", before);
  return query.size === 0 ? "/spotlights" : `/spotlights?${query}`;
}
