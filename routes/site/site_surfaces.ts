import type { Services } from "../../domain/ports.ts";
import type { PublicRecords } from "../../domain/spotlights/public_records.ts";
import type { RateLimiter } from "../../domain/rate_limit/limiter.ts";
import { renderPublic } from "../errors/public_surface.ts";
import { limitPublic } from "../middleware/rate_limit.ts";
import type { Route, Surface } from "../route_table.ts";
import {
  assetRoutes,
  documentRoutes,
  type Documents,
} from "./pages/asset_routes.ts";
import { notFoundPage, spotlightPages } from "./pages/page_routes.tsx";
import { problemPage } from "./problem_page.ts";
import { publicApi } from "./public_api.ts";

/** What the site is made of. */
export interface SiteParts {
  services: Pick<Services, "clock" | "store" | "settings">;
  limiter: RateLimiter;
  /** Right-most X-Forwarded-For entries that our own proxies wrote. */
  trustedProxyHops: number;
  records: PublicRecords;
  documents: Documents;
  /** Further pages, which cost no token. */
  pages?: readonly Route[];
}

/** The surfaces of `{base_url}`: the public API and the pages. */
export function siteSurfaces(parts: SiteParts): Surface[] {
  const { services, records, documents, pages = [] } = parts;
  const { settings } = services;
  return [
    publicApi({ services, records, rateLimit: limitPublic(parts) }),
    {
      prefix: "",
      enter: [notFoundPage],
      routes: [
        ...spotlightPages(records, settings.baseUrl),
        ...assetRoutes(),
        ...documentRoutes(documents, settings),
        problemPage(settings.baseUrl),
        ...pages,
      ],
      answers: { refused: renderPublic },
    },
  ];
}
