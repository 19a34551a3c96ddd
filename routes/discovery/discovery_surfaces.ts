import { authDiscovery } from "./oauth_discovery.ts";
import { renderPublic } from "../errors/public_surface.ts";
import type { Surface } from "../route_table.ts";
import { asset, HOUR } from "../assets.ts";
import {
  type Addresses,
  cardUrl,
  type ToolServer,
  toolServers,
} from "./catalog.ts";
import { CATALOG_TYPES, serverCard } from "./catalog_documents.ts";
import {
  pretty,
  securityRoute,
  wellKnownCards,
  type WellKnownParts,
} from "./discovery_routes.ts";

/** What tells of `{auth_url}`, on it. */
export function authDiscoverySurfaces(parts: WellKnownParts): Surface[] {
  const { settings } = parts;
  return [
    authDiscovery(settings, [
      securityRoute(parts, settings.authUrl),
      ...wellKnownCards(settings, "advertiser"),
    ]),
    cardSurface(settings, "advertiser"),
  ];
}

/**
 * The card of a tool server, at the place reserved below its address. It has
 * no gates, unlike the server itself.
 */
export function cardSurface(at: Addresses, name: ToolServer["name"]): Surface {
  const routes = toolServers(at).filter((server) => server.name === name)
    .map((server) =>
      asset(
        new URL(cardUrl(server)).pathname,
        CATALOG_TYPES.serverCard,
        pretty(serverCard(at, server)),
        HOUR,
      )
    );
  const prefix = routes[0]?.path ?? "";
  const answers = { refused: renderPublic };
  return { prefix, routes, answers, openToScripts: true };
}
