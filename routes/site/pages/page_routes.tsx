import { type Day, parseDay } from "../../../domain/day.ts";
import { TemporaryFailure } from "../../../domain/failure.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  SANDBOX_PAGE,
  sandboxSpotlight,
} from "../../../domain/sandbox/sandbox_spotlight.ts";
import {
  findSpotlights,
  monthsOf,
} from "../../../domain/spotlights/find_spotlights.ts";
import type { SignedIn } from "../../../domain/sessions/read_session.ts";
import { listSpotlights } from "../../../domain/spotlights/list_spotlights.ts";
import type { PublicRecords } from "../../../domain/spotlights/public_records.ts";
import { positionOf } from "../../../domain/spotlights/public_snapshot.ts";
import { PATHS } from "../../discovery/catalog.ts";
import {
  type Gate,
  type Route,
  route,
  type RouteContext,
  type RouteHandler,
} from "../../route_table.ts";
import { queryParam } from "../../http/query.ts";
import { chargeAddress, type RateLimits } from "../../middleware/rate_limit.ts";
import { htmlAnswer, WITH_SCRIPTS } from "../../pages/page_answer.ts";
import { ArchivePage, QUERY_MAX } from "./archive_page.tsx";
import { HomePage } from "./home_page.tsx";
import { SandboxPage, SpotlightPage } from "./spotlight_pages.tsx";
import { MessagePage } from "../../pages/message_page.tsx";

/** Days on the first page, below the current one. */
const EARLIER_DAYS = 5;
/** Days on a page of the archive. */
const ARCHIVE_DAYS = 50;
const MONTH = /^\d{4}-\d{2}$/;

/** Where programs that begin at `/` go on (RFC 8288, 8631, 9727). */
const HOME_LINKS = [
  `<${PATHS.openapi}>; rel="service-desc"; type="application/openapi+json"`,
  `</developers>; rel="service-doc"; type="text/html"`,
  `<${PATHS.apiCatalog}>; rel="api-catalog"`,
  `<${PATHS.llms}>; rel="describedby"; type="text/plain"`,
].join(", ");

/** What the pages are made of. */
export interface PageParts extends RateLimits {
  records: PublicRecords;
  services: Pick<Services, "store" | "clock" | "settings">;
}

/** `/`: the current Spotlight. */
export function homePage(parts: PageParts): Route {
  return route("GET", "/", page((context) => home(context, parts)));
}

/** The pages that show Spotlights by their days. */
export function spotlightPages(parts: PageParts): Route[] {
  const { records, services: { settings: { baseUrl } } } = parts;
  return [
    route("GET", "/spotlights", async (context) => {
      // Every text is looked through for what is asked, which takes its time.
      if (queryParam(context, "q")) await chargeAddress(context, parts);
      return archive(context, records);
    }),
    route("GET", `/spotlights/${SANDBOX_PAGE}`, (context) => {
      const record = sandboxSpotlight(baseUrl);
      return htmlAnswer(context, <SandboxPage record={record} />);
    }),
    route(
      "GET",
      "/spotlights/:day",
      (context) => oneDay(context, parts, context.req.param("day") ?? ""),
    ),
  ];
}

/** Answers browsers with a page where no route knows the path. */
export const notFoundPage: Gate = function notFoundPage(context) {
  const unknown = context.env.trace.route === "/*";
  const accept = context.req.raw.headers.get("accept") ?? "";
  if (!unknown || !accept.includes("text/html")) return null;
  const elsewhere = context.get("elsewhere");
  return nothing(
    context,
    "There is no such page",
    elsewhere === undefined
      ? "The address may have been mistyped, or the page is gone."
      : `This host does not have the address: ${elsewhere}.`,
  );
};

function home(
  context: RouteContext,
  { records, services: { clock, settings } }: PageParts,
): Response {
  const { byDay, newestSettledDay } = records.snapshot;
  const current = byDay.get(newestSettledDay ?? "") ?? null;
  const { items: earlier } = listSpotlights(records, {
    limit: EARLIER_DAYS,
    from: { offset: current === null ? 0 : 1 },
  });
  const shown = { current, earlier, nowMs: clock.now() };
  const { baseUrl, auctionHours: hours } = settings;
  return htmlAnswer(
    context,
    <HomePage baseUrl={baseUrl} hours={hours} {...shown} />,
    { headers: { link: HOME_LINKS, ...WITH_SCRIPTS } },
  );
}

function archive(context: RouteContext, records: PublicRecords): Response {
  // A mistyped day or month shows all of them: a reader is not a program.
  const before = parseDay(queryParam(context, "before") ?? "");
  const month = queryParam(context, "month") ?? "";
  const query = {
    text: (queryParam(context, "q") ?? "").slice(0, QUERY_MAX).trim(),
    month: MONTH.test(month) ? month : "",
  };
  const { items, nextCursor } = findSpotlights(records, {
    ...query,
    before,
    limit: ARCHIVE_DAYS,
  });
  return htmlAnswer(
    context,
    <ArchivePage
      query={query}
      months={monthsOf(records)}
      days={items}
      newer={before !== null}
      nextCursor={nextCursor}
    />,
  );
}

async function oneDay(
  context: RouteContext,
  { records, services }: PageParts,
  text: string,
): Promise<Response> {
  const { byDay, records: all } = records.snapshot;
  const record = byDay.get(text);
  if (record === undefined) return noSpotlightAnswer(context);
  const at = positionOf(all, record.day);
  return htmlAnswer(
    context,
    <SpotlightPage
      ad={record}
      baseUrl={services.settings.baseUrl}
      isOwn={await isOwnDay(context, services, record.day)}
      older={all[at - 1]?.day ?? null}
      newer={all[at + 1]?.day ?? null}
    />,
  );
}

/**
 * Whether the day was won by who looks at it. Only who is signed in is looked
 * up; a store that is silent keeps the page from nobody.
 */
async function isOwnDay(
  context: RouteContext,
  { store }: Pick<Services, "store">,
  day: Day,
): Promise<boolean> {
  const signedIn: SignedIn | null | undefined = context.get("signedIn");
  if (!signedIn) return false;
  try {
    const spotlight = await store.spotlights.find(day);
    return spotlight?.accountId === signedIn.account.id;
  } catch (failure) {
    if (failure instanceof TemporaryFailure) return false;
    throw failure;
  }
}

/** A page that says that a day has no Spotlight. */
export function noSpotlightAnswer(context: RouteContext): Response {
  return nothing(
    context,
    "No Spotlight to show",
    "This day has no Spotlight: its auction has not settled, or the " +
      "Spotlight was removed.",
  );
}

function nothing(
  context: RouteContext,
  title: string,
  text: string,
): Response {
  const html = <MessagePage title={title} text={text} />;
  return htmlAnswer(context, html, { status: 404 });
}

/** A page for people, also when the records can't be read yet. */
function page(show: (context: RouteContext) => Response): RouteHandler {
  return function showPage(context) {
    try {
      return show(context);
    } catch (failure) {
      if (!(failure instanceof TemporaryFailure)) throw failure;
      return htmlAnswer(
        context,
        <MessagePage
          title="Back in a moment"
          text="The page cannot be shown right now. Please try again."
        />,
        {
          status: 503,
          headers: { "retry-after": String(failure.retryAfterS) },
        },
      );
    }
  };
}
