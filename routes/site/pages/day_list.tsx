import type { Html } from "../../pages/html.ts";
import { DayTime } from "../ui/day_time.tsx";
import { type Advertisement, LABELS } from "../ui/stage.tsx";

/** Days as small cards, each with its label, and the way to more of them. */
export function DayList(
  { days, more }: {
    days: readonly Advertisement[];
    more?: { href: string; name: string };
  },
): Html {
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
      {more && (
        <li class="more">
          <a href={more.href}>{more.name}</a>
        </li>
      )}
    </ol>
  );
}
