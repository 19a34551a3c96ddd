import { renderPublic } from "../errors/public_surface.ts";
import type { SignedCookie } from "../middleware/signed_cookie.ts";
import type { Route, Surface } from "../route_table.ts";
import {
  assetRoutes,
  documentRoutes,
  type Documents,
} from "./pages/asset_routes.ts";
import { notFoundPage, spotlightPages } from "./pages/page_routes.tsx";
import { problemPage } from "./pages/problem_page.tsx";
import { publicApi, type PublicApiParts } from "./public_api.ts";

/** What the site is made of. */
export interface SiteParts extends PublicApiParts {
  documents: Documents;
  /** "svc_sess (svc_sess_preview in the preview environment), signed" */
  sessionCookie: SignedCookie;
  /** Binds a sign-in under way to the browser that began it. */
  signInCookie: SignedCookie;
  /** Further pages, which cost no token. */
  pages?: readonly Route[];
}

/** The surfaces of `{base_url}`: the public API and the pages. */
export function siteSurfaces(parts: SiteParts): Surface[] {
  const { services, records, documents, pages = [] } = parts;
  const { settings } = services;
  return [
    publicApi(parts),
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
