import { addDays, type Day, MINUTE_MS, parseDay } from "../../../domain/day.ts";
import { TemporaryFailure } from "../../../domain/failure.ts";
import { parseMonth } from "../../../domain/month.ts";
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
import {
  chargeNetworks,
  type RateLimits,
} from "../../middleware/rate_limit.ts";
import type { Html } from "../../pages/html.ts";
import {
  htmlAnswer,
  PublicPages,
  SharedPage,
  sharedPageAnswer,
  WITH_SCRIPTS,
} from "../../pages/page_answer.ts";
import { ArchivePage, type ArchiveQuery, QUERY_MAX } from "./archive_page.tsx";
import { HomePage, type HomePageProps } from "./home_page.tsx";
import { SandboxPage, SpotlightPage } from "./spotlight_pages.tsx";
import { MessagePage } from "../../pages/message_page.tsx";

/** Days on the first page, below the current one. */
const EARLIER_DAYS = 5;
/** Days on a page of the archive. */
const ARCHIVE_DAYS = 50;

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
  const pages = new PublicPages();
  return route("GET", "/", page((context) => home(context, parts, pages)));
}

/** The pages that show Spotlights by their days. */
export function spotlightPages(parts: PageParts): Route[] {
  const { records, services: { settings: { baseUrl } } } = parts;
  const pages = new PublicPages();
  // Of their own: whoever makes up days and months forgets nobody's days.
  const archives = new PublicPages();
  const sandbox = new SharedPage(
    <SandboxPage record={sandboxSpotlight(baseUrl)} />,
  );
  return [
    route("GET", "/spotlights", async (context) => {
      // Every text is looked through for what is asked, which takes its time.
      if (queryParam(context, "q")) {
        await chargeNetworks(context, parts, "page_search");
      }
      return archive(context, records, archives);
    }),
    route(
      "GET",
      `/spotlights/${SANDBOX_PAGE}`,
      (context) => sharedPageAnswer(context, sandbox),
    ),
    route("GET", "/spotlights/:day", (context) => {
      const day = context.req.param("day") ?? "";
      return oneDay(context, parts, { pages, text: day });
    }),
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
  pages: PublicPages,
): Response | Promise<Response> {
  const { snapshot } = records;
  const nowMs = clock.now();
  const hasSignedOut = queryParam(context, "done") === "signed-out" &&
    context.get("signedIn") === null;
  const key = `${momentOf(nowMs)} ${hasSignedOut}`;
  const headers = { link: HOME_LINKS, ...WITH_SCRIPTS };
  return pages.answer(context, { state: snapshot, key, headers }, () => {
    const { baseUrl, auctionHours: hours } = settings;
    const shown = { ...newestOf(records), hasSignedOut, nowMs };
    return <HomePage baseUrl={baseUrl} hours={hours} {...shown} />;
  });
}

/**
 * Names the moments that a page with whole minutes tells nothing apart of: a
 * full minute, or all between two of them.
 */
function momentOf(nowMs: number): string {
  const between = nowMs % MINUTE_MS === 0 ? "" : "+";
  return `${Math.floor(nowMs / MINUTE_MS)}${between}`;
}

/** The current Spotlight, and some before it. */
function newestOf(
  records: PublicRecords,
): Pick<HomePageProps, "current" | "earlier"> {
  const { byDay, newestSettledDay } = records.snapshot;
  const current = byDay.get(newestSettledDay ?? "") ?? null;
  const { items: earlier } = listSpotlights(records, {
    limit: EARLIER_DAYS,
    from: { offset: current === null ? 0 : 1 },
  });
  return { current, earlier };
}

function archive(
  context: RouteContext,
  records: PublicRecords,
  pages: PublicPages,
): Response | Promise<Response> {
  // A mistyped day or month shows all of them: a reader is not a program.
  const before = parseDay(queryParam(context, "before") ?? "");
  const query = {
    text: (queryParam(context, "q") ?? "").slice(0, QUERY_MAX).trim(),
    month: parseMonth(queryParam(context, "month") ?? ""),
  };
  const write = () => <Archive {...{ records, query, before }} />;
  // Whoever has texts looked through pays for it; no two look for the same.
  if (query.text !== "") return htmlAnswer(context, write());
  const key = JSON.stringify([query.month, before]);
  return pages.answer(context, { state: records.snapshot, key }, write);
}

function Archive(
  { records, query, before }: {
    records: PublicRecords;
    query: ArchiveQuery;
    before: Day | null;
  },
): Html {
  const { items, nextCursor } = findSpotlights(records, {
    ...query,
    before,
    limit: ARCHIVE_DAYS,
  });
  return (
    <ArchivePage
      query={query}
      months={monthsOf(records)}
      days={items}
      newer={before !== null}
      nextCursor={nextCursor}
    />
  );
}

async function oneDay(
  context: RouteContext,
  { records, services }: PageParts,
  { pages, text }: { pages: PublicPages; text: string },
): Promise<Response> {
  const { snapshot } = records;
  const record = snapshot.byDay.get(text);
  if (record === undefined) return noSpotlightAnswer(context);
  const isOwn = await isOwnDay(context, services, record.day);
  return await pages.answer(context, { state: snapshot, key: text }, () => {
    const { records: all } = snapshot;
    const at = positionOf(all, record.day);
    const { baseUrl, auctionHours: hours } = services.settings;
    return (
      <SpotlightPage
        ad={record}
        baseUrl={baseUrl}
        hours={hours}
        closed={{
          fromMs: record.settledAtMs,
          untilMs: snapshot.byDay.get(addDays(record.day, 1))?.settledAtMs,
        }}
        isOwn={isOwn}
        older={all[at - 1]?.day ?? null}
        newer={all[at + 1]?.day ?? null}
      />
    );
  });
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
function page(
  show: (context: RouteContext) => Response | Promise<Response>,
): RouteHandler {
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
