import type { Clock, Settings } from "../../domain/ports.ts";
import type { PublishedDocuments } from "../../domain/retrieval/docs_pages.ts";
import type { PublicRecords } from "../../domain/spotlights/public_records.ts";
import type { PublicSnapshot } from "../../domain/spotlights/public_snapshot.ts";
import { refuse } from "../../domain/refusal.ts";
import {
  openRoute,
  type Route,
  route,
  type RouteContext,
} from "../route_table.ts";
import {
  asset,
  assetHeaders,
  fixedText,
  HOUR,
  jsonAsset,
  pretty,
} from "../assets.ts";
import { textAnswer } from "../http/text_answer.ts";
import {
  type Addresses,
  PATHS,
  type ToolServer,
  toolServer,
} from "./catalog.ts";
import {
  aiCatalog,
  apiCatalog,
  CATALOG_TYPES,
  serverCard,
} from "./catalog_documents.ts";
import {
  feedPath,
  schemaMapXml,
  sitemapXml,
  yearFeed,
} from "./crawl_documents.ts";
import { openapiDocument } from "./openapi/document.ts";
import {
  llmsFullText,
  llmsText,
  robotsText,
  securityText,
} from "./text_documents.ts";
import { SharedText } from "../http/respond.ts";
import { SharedTexts } from "../http/shared_texts.ts";

const TEXT = "text/plain; charset=utf-8";
const XML = "application/xml; charset=utf-8";

/** What the documents about the service are made of. */
export interface DiscoveryParts {
  settings: Settings;
  clock: Clock;
  records: PublicRecords;
  /** With the service's own addresses in them. */
  documents: PublishedDocuments;
  /** The pages of the documentation for developers, one a topic. */
  topicPaths: readonly string[];
}

/** The documents about the service at the root of `{base_url}`. */
export function discoveryRoutes(parts: DiscoveryParts): Route[] {
  const { settings, documents } = parts;
  const text = (path: string, body: string) => asset(path, TEXT, body, HOUR);
  return [
    jsonAsset(
      PATHS.openapi,
      "application/openapi+json",
      openapiDocument(settings),
    ),
    text(PATHS.llms, llmsText(settings)),
    text(PATHS.llmsFull, llmsFullText(settings, documents)),
    text(PATHS.robots, robotsText(settings)),
    ...crawlRoutes(parts),
  ];
}

/** What crawlers follow: it changes with each day. */
function crawlRoutes(
  { records, settings, topicPaths }: DiscoveryParts,
): Route[] {
  const texts = new SharedTexts();
  const written = (
    path: string,
    write: (snapshot: PublicSnapshot) => string,
  ) =>
    route("GET", path, (context) => {
      const { snapshot } = records;
      const text = texts.of(snapshot, path, () => write(snapshot));
      return fresh(context, XML, text);
    });
  return [
    written(PATHS.sitemap, (now) => sitemapXml(now, settings, topicPaths)),
    written(PATHS.schemaMap, (now) => schemaMapXml(now, settings)),
    route("GET", feedPath(":year"), (context) => {
      const { snapshot } = records;
      const year = context.req.param("year") ?? "";
      const make = () => yearFeed(snapshot, year, settings) ?? refuseYear();
      const feed = texts.of(snapshot, year, make);
      return fresh(context, "application/ld+json", feed);
    }),
  ].map(openRoute);
}

/** A Spotlight may be removed at any time, so nothing of it is kept unasked. */
function fresh(
  context: RouteContext,
  type: string,
  text: SharedText,
): Response | Promise<Response> {
  const headers = assetHeaders(type, "private, no-cache");
  return textAnswer(context, text, headers);
}

function refuseYear(): never {
  refuse({
    code: "not_found",
    message: "Cannot find a Spotlight of that year",
  });
}

/** The documents about the service under `/.well-known` of `{base_url}`. */
export function wellKnownRoutes(parts: WellKnownParts): Route[] {
  const { settings } = parts;
  const linkset = pretty(apiCatalog(settings));
  const headers = {
    ...assetHeaders(CATALOG_TYPES.apiCatalog, HOUR),
    link: `<${PATHS.apiCatalog}>; rel="api-catalog"`,
  };
  return [
    fixedText(PATHS.apiCatalog, linkset, headers),
    jsonAsset(
      PATHS.aiCatalog,
      CATALOG_TYPES.aiCatalog,
      aiCatalog(settings),
    ),
    securityRoute(parts, settings.baseUrl),
    ...wellKnownCards(settings, "public"),
  ];
}

/** What the documents under `/.well-known` are made of. */
export type WellKnownParts = Pick<DiscoveryParts, "clock"> & {
  settings: Addresses & Pick<Settings, "seller">;
};

/** Whom to tell of a weakness of a host. */
export function securityRoute(
  { settings, clock }: WellKnownParts,
  hostUrl: string,
): Route {
  const { email } = settings.seller;
  let body = new SharedText("");
  const answered = route("GET", PATHS.security, (context) => {
    const text = securityText(hostUrl, email, clock.now());
    if (text !== body.text) body = new SharedText(text);
    return textAnswer(context, body, assetHeaders(TEXT, HOUR));
  });
  return { ...answered, isFixed: true };
}

/** Where tools looked for the card before it had a place below the address. */
export function wellKnownCards(
  at: Addresses,
  name: ToolServer["name"],
): Route[] {
  const server = toolServer(at, name);
  return ["/.well-known/mcp/server-card.json", "/.well-known/mcp.json"].map(
    (path) => jsonAsset(path, CATALOG_TYPES.serverCard, serverCard(at, server)),
  );
}
