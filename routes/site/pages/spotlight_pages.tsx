import type {
  AuctionHours,
  Closings,
} from "../../../domain/auction/auction.ts";
import type { Day } from "../../../domain/day.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { SpotlightRecord } from "../../../domain/spotlights/spotlight.ts";
import { spotlightJsonLd } from "../../discovery/json_ld.ts";
import type { Html } from "../../pages/html.ts";
import { Layout } from "../../pages/layout.tsx";
import { DayTime } from "../ui/day_time.tsx";
import { ogImageOf } from "../ui/og_image.ts";
import { ShownDay } from "../ui/shown_window.tsx";
import { type Advertisement, SpotlightStage } from "../ui/stage.tsx";

/** Where readers report an advertisement, by its day. */
export const REPORT_PATH = "/report";

/** `/spotlights/{day}`: one Spotlight and the ways to its neighbours. */
export function SpotlightPage(props: {
  ad: Advertisement & { day: Day };
  baseUrl: string;
  hours: AuctionHours;
  closed: Closings;
  /** Who looks at it has won it. */
  isOwn: boolean;
  older: Day | null;
  newer: Day | null;
}): Html {
  const { ad, baseUrl, hours, closed, isOwn, older, newer } = props;
  const canonicalUrl = `${baseUrl}/spotlights/${ad.day}`;
  return (
    <Layout
      title={`${ad.headline} – Spotlight of ${ad.day}`}
      description={ad.description}
      canonicalUrl={canonicalUrl}
      jsonUrl={`/api/v1/spotlights/${ad.day}`}
      jsonLd={spotlightJsonLd(ad, canonicalUrl)}
      image={ogImageOf(baseUrl, ad)}
    >
      <SpotlightStage ad={ad} heading="h1" />
      <p class="until">
        Spotlight of <ShownDay day={ad.day} hours={hours} closed={closed} /> ·
        {" "}
        <a href={`${REPORT_PATH}/${ad.day}`} rel="nofollow">Report this ad</a>
      </p>
      {isOwn && (
        <p class="note">
          You won this day.{" "}
          <a href={`${PAGES.reports}/${ad.day}`}>See what it brought</a>
        </p>
      )}
      <nav class="around" aria-label="Neighbouring days">
        {older && (
          <a href={`/spotlights/${older}`} rel="prev">
            Older: <DayTime day={older} />
          </a>
        )}
        {newer && (
          <a href={`/spotlights/${newer}`} rel="next">
            Newer: <DayTime day={newer} />
          </a>
        )}
      </nav>
    </Layout>
  );
}

/** `/spotlights/sandbox`: where the sandbox's record points. */
export function SandboxPage({ record }: { record: SpotlightRecord }): Html {
  return (
    <Layout
      title="Sandbox example – Spotlight"
      description="The sandbox’s sample of an advertisement, for trying the API."
      canonicalUrl={record.canonicalUrl}
      jsonUrl="/api/v1/sandbox"
    >
      <p>
        This is the sandbox’s sample, for trying the API. Nobody advertises
        here, and no day has this Spotlight.
      </p>
      <SpotlightStage ad={{ ...record, targetUrl: "" }} heading="h1" />
    </Layout>
  );
}
