import {
  type AuctionHours,
  clockTime,
  closesAtMs,
  opensAtMs,
  shortMinute,
  shownWindow,
} from "../../../domain/auction/auction.ts";
import { addDays, type Day, dayOf, MINUTE_MS } from "../../../domain/day.ts";
import { homeJsonLd } from "../../discovery/json_ld.ts";
import type { Html } from "../../pages/html.ts";
import { Layout } from "../../pages/layout.tsx";
import {
  ADVERTISE_PAGE,
  type Advertisement,
  SpotlightStage,
} from "../ui/stage.tsx";
import { ogImageOf } from "../ui/og_image.ts";
import { TimeLeft } from "../ui/time_left.tsx";
import { DayList } from "./day_list.tsx";
import { StatusNote } from "./forms.tsx";
import { COUNTDOWN_SCRIPTS } from "./script_routes.ts";

/** What the page needs to know of its moment. */
export interface HomePageProps {
  baseUrl: string;
  hours: AuctionHours;
  nowMs: number;
  current: (Advertisement & { day: Day }) | null;
  earlier: readonly Advertisement[];
  /** Whether the reader comes here from signing out. */
  hasSignedOut: boolean;
}

/** `/`: the current Spotlight, and little else. */
export function HomePage(props: HomePageProps): Html {
  const { baseUrl, current, earlier } = props;
  return (
    <Layout
      title="Spotlight – one advertisement a day"
      description="One advertisement is shown here each day. The highest sealed bid of the night before pays for it."
      canonicalUrl={`${baseUrl}/`}
      jsonUrl="/api/v1/spotlight"
      jsonLd={homeJsonLd(baseUrl)}
      image={current && ogImageOf(baseUrl, current)}
      scripts={COUNTDOWN_SCRIPTS}
    >
      {props.hasSignedOut && <StatusNote>You are signed out.</StatusNote>}
      {current ? <SpotlightStage ad={current} heading="h1" /> : <Dark />}
      {current && <ShownUntil {...props} day={current.day} />}
      <Offer {...props} />
      {earlier.length > 0 && (
        <section>
          <h2>Earlier days</h2>
          <DayList
            days={earlier}
            more={{ href: "/spotlights", name: "All days" }}
          />
        </section>
      )}
    </Layout>
  );
}

/** What stands where nothing is shown. */
function Dark() {
  return (
    <section class="stage">
      <h1 class="headline">The stage is dark</h1>
      <p class="copy">
        No Spotlight is shown right now. The next one appears when the auction
        of the day has settled.
      </p>
    </section>
  );
}

/** Nothing once the time has passed: the next one comes when it has settled. */
function ShownUntil({ day, hours, nowMs }: HomePageProps & { day: Day }) {
  const { untilMs } = shownWindow(day, hours);
  if (untilMs <= nowMs) return null;
  // A day that was closed early is on show for longer than a day.
  const until = dayOf(untilMs) === dayOf(nowMs)
    ? clockTime(hours.closesAtMinute)
    : shortMinute(untilMs);
  return (
    <p class="until">
      Shown until {until} UTC{" "}
      <TimeLeft {...timesOf(untilMs, nowMs)} says="· {} left" over="" />
    </p>
  );
}

/** For all who read it within a minute, the page is the same to the last byte. */
function timesOf(untilMs: number, nowMs: number) {
  return { untilMs, nowMs, asOfMs: nowMs - nowMs % MINUTE_MS };
}

/** What holds until a moment, how long that is, and what held once it has passed. */
function Until(
  { left, says, over, ...times }: ReturnType<typeof timesOf> & {
    says: string;
    over: string;
    left: string;
  },
) {
  return (
    <>
      <strong>
        <TimeLeft {...times} says={says} over={over} />
      </strong>{" "}
      <TimeLeft
        {...times}
        says={left}
        over="Load it again to see how it stands."
      />
    </>
  );
}

/** The place that is to be had now, or from when it is. */
function Offer({ hours, nowMs, current }: HomePageProps) {
  const today = dayOf(nowMs);
  const untilMs = closesAtMs(today, hours);
  // An operator may close a day early: what has settled takes no bids.
  const isOver = nowMs >= untilMs || current?.day === today;
  const isOpen = opensAtMs(today, hours) <= nowMs && !isOver;
  const opensMs = opensAtMs(isOver ? addDays(today, 1) : today, hours);
  return (
    <section class="offer">
      <p>
        {isOpen
          ? (
            <Until
              {...timesOf(untilMs, nowMs)}
              says="Tonight’s auction of this place is open."
              over="Tonight’s auction was open when this page was loaded."
              left="{} left to bid."
            />
          )
          : (
            <Until
              {...timesOf(opensMs, nowMs)}
              says="The next auction opens in"
              over="No auction was open when this page was loaded."
              left="{}."
            />
          )}
      </p>
      <p>
        <a href={ADVERTISE_PAGE}>Advertise here</a>
      </p>
    </section>
  );
}
