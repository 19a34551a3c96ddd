import type { ContentType } from "../../../domain/spotlights/spotlight.ts";
import type { Html } from "../../pages/html.ts";

/** What a page shows of a Spotlight. */
export interface Advertisement {
  day: string;
  headline: string;
  description: string;
  advertiser: string;
  contentType: ContentType;
  targetUrl: string;
}

/** What each kind of advertisement is called, in full, above it. */
export const LABELS: Readonly<Record<ContentType, string>> = {
  paid_advertisement: "Paid advertisement",
  house_advertisement: "House advertisement",
};

/** One Spotlight. The advertiser's text is shown as text and nothing else. */
export function AdvertisementCard(
  { ad, heading: Heading }: { ad: Advertisement; heading: "h1" | "h2" },
): Html {
  return (
    <article>
      <p class="label">{LABELS[ad.contentType]}</p>
      <Heading dir="auto">{ad.headline}</Heading>
      <p class="copy" dir="auto">{ad.description}</p>
      <TargetLink day={ad.day} url={ad.targetUrl} />
      <p class="quiet">
        From <bdi>{ad.advertiser}</bdi>, Spotlight of <DayTime day={ad.day} />
      </p>
    </article>
  );
}

/** The name of a day, readable by people and machines. */
export function DayTime({ day }: { day: string }): Html {
  return <time datetime={day}>{dayName(day)}</time>;
}

/**
 * A link that is counted and leads on to the advertiser. The host is shown, so
 * that readers know where they will be.
 */
function TargetLink({ day, url }: { day: string; url: string }) {
  const target = URL.canParse(url) ? new URL(url) : null;
  if (target?.protocol !== "https:") return null;
  return (
    <p>
      <a href={`/go/${day}`} rel="sponsored nofollow noopener">
        Visit the advertiser
      </a>{" "}
      <span class="quiet">at {target.host}</span>
    </p>
  );
}

const names = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeZone: "UTC",
});

function dayName(day: string): string {
  return names.format(new Date(`${day}T00:00:00.000Z`));
}
