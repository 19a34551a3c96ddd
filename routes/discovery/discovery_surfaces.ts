import { authDiscovery } from "./oauth_discovery.ts";
import { renderPublic } from "../errors/public_surface.ts";
import type { Surface } from "../route_table.ts";
import { jsonAsset } from "../assets.ts";
import {
  type Addresses,
  cardUrl,
  type ToolServer,
  toolServer,
} from "./catalog.ts";
import { CATALOG_TYPES, serverCard } from "./catalog_documents.ts";
import {
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
  const server = toolServer(at, name);
  const prefix = new URL(cardUrl(server)).pathname;
  const card = serverCard(at, server);
  const routes = [jsonAsset(prefix, CATALOG_TYPES.serverCard, card)];
  const answers = { refused: renderPublic };
  return { prefix, routes, answers, openToScripts: true };
}
