import type { PublishedDocuments } from "../../domain/retrieval/docs_pages.ts";
import type { DrawPng } from "../../domain/ports.ts";
import type { Retrieval } from "../../domain/retrieval/retrieval.ts";
import type { PublicRecords } from "../../domain/spotlights/public_records.ts";
import { siteDiscovery } from "../discovery/oauth_discovery.ts";
import {
  discoveryRoutes,
  wellKnownRoutes,
} from "../discovery/discovery_routes.ts";
import { cardSurface } from "../discovery/discovery_surfaces.ts";
import { PAGE_ANSWERS } from "../errors/page_surface.tsx";
import { renderPublic } from "../errors/public_surface.ts";
import { countVisitor, countVisits } from "../middleware/rate_limit.ts";
import { readVisitorGate } from "../middleware/session.ts";
import type { Route, Surface } from "../route_table.ts";
import { acpDiscovery, acpSchemas } from "./checkout/acp_documents.ts";
import { handlerPage } from "./checkout/handler_page.tsx";
import { advertisePage } from "./pages/advertise_page.tsx";
import { ogSurface } from "./og/og_surface.ts";
import { assetRoutes } from "./pages/asset_routes.ts";
import { auctionPage } from "./pages/auction_page.tsx";
import { imprintPage } from "./pages/imprint_page.tsx";
import {
  documentPages,
  documentRoutes,
  withAddressesIn,
} from "./documents/document_pages.tsx";
import { type ClientFiles, clientRoutes } from "./documents/client_routes.ts";
import { developersSurface } from "./documents/developers_surface.tsx";
import { topicPath } from "./documents/topics.ts";
import { feedRoutes } from "./pages/feed_routes.ts";
import {
  homePage,
  notFoundPage,
  spotlightPages,
} from "./pages/page_routes.tsx";
import { problemPage } from "./pages/problem_page.tsx";
import { publicApi } from "./api/public_api.ts";
import { rehearsalSurface } from "./api/rehearsals.ts";
import { scriptRoutes } from "./pages/script_routes.ts";
import type { SignInParts } from "./sign_in/sign_in_parts.ts";
import { signInSurfaces } from "./sign_in/sign_in_surfaces.ts";

/** What the site is made of. */
export interface SiteParts extends SignInParts {
  records: PublicRecords;
  /** Draws the pictures of days. */
  drawPng: DrawPng;
  documents: PublishedDocuments;
  clientFiles: ClientFiles;
  /** What finds passages of them. */
  retrieval: Pick<Retrieval, "index">;
  /** Further operations of the public API. */
  operations?: readonly Route[];
  /** Further pages, which cost no token. */
  pages?: readonly Route[];
}

/** The surfaces of `{base_url}`: the public API and the pages. */
export function siteSurfaces(parts: SiteParts): Surface[] {
  const { services, records, pages = [] } = parts;
  const { settings } = services;
  const documents = withAddressesIn(parts.documents, settings);
  const pagesOfDocuments = documentPages(documents, settings);
  const topicPaths = pagesOfDocuments.topics.pages.map(topicPath);
  return [
    publicApi(parts),
    rehearsalSurface(parts),
    siteDiscovery(settings, [
      acpDiscovery(settings),
      ...wellKnownRoutes(services),
    ]),
    cardSurface(settings, "public"),
    ...signInSurfaces(parts),
    ogSurface(parts),
    developersSurface({ ...parts, documents: pagesOfDocuments }),
    {
      prefix: "/spotlights",
      free: true,
      ...visited(parts, spotlightPages(parts)),
      answers: PAGE_ANSWERS,
    },
    {
      prefix: "",
      free: true,
      ...visited(parts, [
        homePage(parts),
        ...feedRoutes(parts),
        auctionPage(settings.auctionHours, settings.baseUrl),
        advertisePage(parts),
        imprintPage(settings),
        ...assetRoutes(),
        ...clientRoutes(parts.clientFiles),
        ...scriptRoutes(),
        ...documentRoutes(pagesOfDocuments, settings),
        ...discoveryRoutes({ ...services, records, documents, topicPaths }),
        problemPage(settings.baseUrl),
        handlerPage(settings),
        ...acpSchemas(settings),
        ...pages,
      ]),
      answers: { refused: renderPublic },
    },
  ];
}

/** Pages for anyone, whose visits are counted before anything is read. */
function visited(
  parts: SiteParts,
  routes: readonly Route[],
): Pick<Surface, "enter" | "routes"> {
  const enter = [
    countVisits(parts, routes),
    readVisitorGate(parts),
    countVisitor(parts),
    notFoundPage,
  ];
  return { enter, routes };
}
