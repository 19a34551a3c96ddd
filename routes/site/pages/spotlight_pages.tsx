import type { Day } from "../../../domain/day.ts";
import type { SpotlightRecord } from "../../../domain/spotlights/spotlight.ts";
import { spotlightJsonLd } from "../../discovery/json_ld.ts";
import {
  type Advertisement,
  AdvertisementCard,
  DayTime,
  LABELS,
} from "./advertisement.tsx";
import type { Html } from "../../pages/html.ts";
import { Layout } from "../../pages/layout.tsx";
import { Page } from "./page.tsx";

/** Where readers report an advertisement, by its day. */
export const REPORT_PATH = "/report";

/** `/`: the current Spotlight and the days before it. */
export function HomePage(props: {
  baseUrl: string;
  current: Advertisement | null;
  earlier: readonly Advertisement[];
}): Html {
  return (
    <Layout
      title="Spotlight – one advertisement a day"
      canonicalUrl={`${props.baseUrl}/`}
      jsonUrl="/api/v1/spotlight"
    >
      <h1>Today’s Spotlight</h1>
      {props.current
        ? <AdvertisementCard ad={props.current} heading="h2" />
        : (
          <p>
            No Spotlight is shown right now. The next one appears when the
            auction of the day has settled.
          </p>
        )}
      {props.earlier.length > 0 && (
        <section>
          <h2>Earlier days</h2>
          <DayList days={props.earlier} />
          <p>
            <a href="/spotlights">All days</a>
          </p>
        </section>
      )}
    </Layout>
  );
}

/** `/spotlights`: all days, a page at a time, newest first. */
export function ArchivePage(props: {
  days: readonly Advertisement[];
  nextCursor: Day | null;
}): Html {
  return (
    <Page title="All days" jsonUrl="/api/v1/spotlights">
      {props.days.length > 0
        ? <DayList days={props.days} />
        : <p>No earlier Spotlight has been published.</p>}
      {props.nextCursor && (
        <p>
          <a href={`/spotlights?before=${props.nextCursor}`}>Older days</a>
        </p>
      )}
    </Page>
  );
}

/** `/spotlights/{day}`: one Spotlight and the ways to its neighbours. */
export function SpotlightPage(props: {
  ad: Advertisement;
  canonicalUrl: string;
  older: Day | null;
  newer: Day | null;
}): Html {
  const { ad, older, newer } = props;
  return (
    <Layout
      title={`${ad.headline} – Spotlight of ${ad.day}`}
      canonicalUrl={props.canonicalUrl}
      jsonUrl={`/api/v1/spotlights/${ad.day}`}
      jsonLd={spotlightJsonLd(ad, props.canonicalUrl)}
    >
      <AdvertisementCard ad={ad} heading="h1" />
      <p class="quiet">
        <a href={`${REPORT_PATH}/${ad.day}`} rel="nofollow">Report this ad</a>
      </p>
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
export function SandboxPage(
  { record }: { record: SpotlightRecord },
): Html {
  return (
    <Layout
      title="Sandbox example – Spotlight"
      canonicalUrl={record.canonicalUrl}
      jsonUrl="/api/v1/sandbox"
    >
      <p>
        This is the sandbox’s sample, for trying the API. Nobody advertises
        here, and no day has this Spotlight.
      </p>
      <AdvertisementCard ad={{ ...record, targetUrl: "" }} heading="h1" />
    </Layout>
  );
}

function DayList({ days }: { days: readonly Advertisement[] }) {
  return (
    <ol class="days">
      {days.map((ad) => (
        <li>
          <DayTime day={ad.day} />
          <a href={`/spotlights/${ad.day}`} dir="auto">{ad.headline}</a>{" "}
          <span class="quiet">
            {LABELS[ad.contentType]}, <bdi>{ad.advertiser}</bdi>
          </span>
        </li>
      ))}
    </ol>
  );
}
