import { parseDay } from "../../../domain/day.ts";
import { TemporaryFailure } from "../../../domain/failure.ts";
import {
  SANDBOX_PAGE,
  sandboxSpotlight,
} from "../../../domain/sandbox/sandbox_spotlight.ts";
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
import { htmlAnswer } from "../../pages/page_answer.ts";
import {
  ArchivePage,
  HomePage,
  SandboxPage,
  SpotlightPage,
} from "./spotlight_pages.tsx";
import { MessagePage } from "../../pages/message_page.tsx";

/** Days on the first page, below the current one. */
const EARLIER_DAYS = 14;
/** Days on a page of the archive. */
const ARCHIVE_DAYS = 50;

/** Where programs that begin at `/` go on (RFC 8288, 8631, 9727). */
const HOME_LINKS = [
  `<${PATHS.openapi}>; rel="service-desc"; type="application/openapi+json"`,
  `</developers>; rel="service-doc"; type="text/html"`,
  `<${PATHS.apiCatalog}>; rel="api-catalog"`,
  `<${PATHS.llms}>; rel="describedby"; type="text/plain"`,
].join(", ");

/** The pages that show Spotlights. */
export function spotlightPages(
  records: PublicRecords,
  baseUrl: string,
): Route[] {
  return [
    route("GET", "/", page((context) => home(context, records, baseUrl))),
    route("GET", "/spotlights", page((context) => archive(context, records))),
    route("GET", `/spotlights/${SANDBOX_PAGE}`, (context) => {
      const record = sandboxSpotlight(baseUrl);
      return htmlAnswer(context, <SandboxPage record={record} />);
    }),
    route(
      "GET",
      "/spotlights/:day",
      page((context) =>
        oneDay(context, records, context.req.param("day") ?? "", baseUrl)
      ),
    ),
  ];
}

/** Answers browsers with a page where no route knows the path. */
export const notFoundPage: Gate = function notFoundPage(context) {
  const unknown = context.env.trace.route === "/*";
  const accept = context.req.raw.headers.get("accept") ?? "";
  if (!unknown || !accept.includes("text/html")) return null;
  return nothing(
    context,
    "There is no such page",
    "The address may have been mistyped, or the page is gone.",
  );
};

function home(
  context: RouteContext,
  records: PublicRecords,
  baseUrl: string,
): Response {
  const { byDay, newestSettledDay } = records.snapshot;
  const current = byDay.get(newestSettledDay ?? "") ?? null;
  const { items: earlier } = listSpotlights(records, {
    limit: EARLIER_DAYS,
    from: { offset: current === null ? 0 : 1 },
  });
  return htmlAnswer(
    context,
    <HomePage baseUrl={baseUrl} current={current} earlier={earlier} />,
    { headers: { link: HOME_LINKS } },
  );
}

function archive(context: RouteContext, records: PublicRecords): Response {
  // A mistyped day shows the newest ones: a reader is not a program.
  const before = parseDay(queryParam(context, "before") ?? "");
  const { items, nextCursor } = listSpotlights(records, {
    limit: ARCHIVE_DAYS,
    from: before === null ? { offset: 0 } : { cursor: before },
  });
  return htmlAnswer(
    context,
    <ArchivePage days={items} nextCursor={nextCursor} />,
  );
}

function oneDay(
  context: RouteContext,
  records: PublicRecords,
  text: string,
  baseUrl: string,
): Response {
  const { byDay, records: all } = records.snapshot;
  const record = byDay.get(text);
  if (record === undefined) return noSpotlightAnswer(context);
  const at = positionOf(all, record.day);
  return htmlAnswer(
    context,
    <SpotlightPage
      ad={record}
      canonicalUrl={`${baseUrl}/spotlights/${record.day}`}
      older={all[at - 1]?.day ?? null}
      newer={all[at + 1]?.day ?? null}
    />,
  );
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
