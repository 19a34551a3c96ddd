import { HOUR_MS } from "../../../domain/day.ts";
import type { ShownWindow } from "../../../domain/auction/auction.ts";
import { hourOf } from "../../../domain/clicks/click.ts";
import { FEW } from "../../../domain/reports/hide_few.ts";
import type { Report } from "../../../domain/reports/read_reports.ts";
import type { Html } from "../../pages/html.ts";
import { BarPlot } from "../ui/plot.tsx";
import { shortMoment } from "../ui/shown_window.tsx";
import { Table } from "../ui/table.tsx";
import { thousands } from "../../../domain/text/euros.ts";

/** Human clicks in each hour on show, drawn and as a table. */
export function HourPlot(
  { byHour: { shown: counts, other }, shown }:
    & Pick<Report, "byHour">
    & { shown: ShownWindow },
): Html {
  const [best] = counts.toSorted((a, b) => b.count - a.count);
  if (best === undefined) {
    return (
      <p>
        {other === 0
          ? "Nobody has clicked."
          : `Too few for a plot: hours are shown from ${FEW} clicks on.`}
      </p>
    );
  }
  const byHour = new Map(counts.map(({ value, count }) => [value, count]));
  const hours = hoursOf(shown);
  return (
    <>
      <BarPlot
        id="hours-plot"
        title="Human clicks by hour, UTC"
        description={`Most clicks: ${best.count} in the hour from ` +
          `${nameOf(best.value)}. The table below has every hour with ` +
          `${FEW} clicks or more.`}
        bars={hours.map((hour) => ({
          name: nameOf(hour),
          value: byHour.get(hour) ?? null,
        }))}
        marks={[hours.at(0), hours.at(12), hours.at(-1)].map((hour = "") =>
          nameOf(hour)
        )}
      />
      <details>
        <summary>Hours as a table</summary>
        <Table
          id="hours"
          caption={`Hours with ${FEW} human clicks or more, UTC`}
          columns={[
            { name: "Hour from" },
            { name: "Human clicks", numeric: true },
          ]}
          rows={[
            ...counts.map(({ value, count }) => [
              nameOf(value),
              thousands(`${count}`),
            ]),
            ...other === 0 ? [] : [["All others", thousands(`${other}`)]],
          ]}
        />
      </details>
    </>
  );
}

/** The hours on show, as they are counted by; those after it are few. */
function hoursOf({ fromMs, untilMs }: ShownWindow): string[] {
  const hours: string[] = [];
  for (let atMs = fromMs; atMs <= untilMs; atMs += HOUR_MS) {
    hours.push(hourOf(atMs));
  }
  return hours;
}

function nameOf(hour: string): string {
  return shortMoment(Date.parse(`${hour}:00:00.000Z`));
}
