import type { Html } from "../../pages/html.ts";
import { DayTime } from "../ui/day_time.tsx";
import { type Advertisement, LABELS } from "../ui/stage.tsx";

/** Days as small cards, each with its label. */
export function DayList({ days }: { days: readonly Advertisement[] }): Html {
  return (
    <ol class="days">
      {days.map((ad) => (
        <li>
          <DayTime day={ad.day} />
          <a href={`/spotlights/${ad.day}`} dir="auto">{ad.headline}</a>
          <span class="quiet">
            {LABELS[ad.contentType]}, <bdi>{ad.advertiser}</bdi>
          </span>
        </li>
      ))}
    </ol>
  );
}
