import {
  type Addresses,
  apis,
  cardUrl,
  PATHS,
  type ToolServer,
  toolServers,
} from "./catalog.ts";
import { API_VERSION } from "./openapi/document.ts";

/** The media types of these documents. */
export const CATALOG_TYPES = {
  apiCatalog: "application/linkset+json;" +
    ' profile="https://www.rfc-editor.org/info/rfc9727"',
  aiCatalog: "application/ai-catalog+json",
  serverCard: "application/mcp-server-card+json",
} as const;

const CARD_SCHEMA =
  "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";

/** The HTTP interfaces and what describes them (RFC 9727). */
export function apiCatalog(at: Addresses): Record<string, unknown> {
  const { baseUrl } = at;
  const described = {
    "service-desc": [{
      href: `${baseUrl}${PATHS.openapi}`,
      type: "application/openapi+json",
    }],
    "service-doc": [
      { href: `${baseUrl}/developers`, type: "text/html" },
      { href: `${baseUrl}/developers.md`, type: "text/markdown" },
    ],
    status: [{ href: `${baseUrl}/healthz`, type: "application/json" }],
  };
  return {
    linkset: apis(at).map(({ url, title }) => ({
      anchor: url,
      title,
      ...described,
    })),
  };
}

/** The tool servers, each by its card (AI Catalog 1.0). */
export function aiCatalog(at: Addresses): Record<string, unknown> {
  const publisher = new URL(at.baseUrl).hostname;
  return {
    specVersion: "1.0",
    entries: toolServers(at).map((server) => ({
      identifier: `urn:air:${publisher}:mcp:${server.name}`,
      type: CATALOG_TYPES.serverCard,
      url: cardUrl(server),
    })),
  };
}

/** A tool server before it is connected to (SEP-2127). */
export function serverCard(
  at: Addresses,
  server: ToolServer,
): Record<string, unknown> {
  const publisher = new URL(at.baseUrl).hostname.split(".").reverse().join(".");
  return {
    $schema: CARD_SCHEMA,
    name: `${publisher}/${server.name}`,
    version: API_VERSION,
    title: server.title,
    description: server.description,
    websiteUrl: `${at.baseUrl}/developers`,
    remotes: [{
      type: "streamable-http",
      url: server.url,
      supportedProtocolVersions: server.versions,
    }],
    // Whoever found one of the servers is told of the others.
    _meta: {
      [`${publisher}/servers`]: toolServers(at).map((each) => ({
        name: `${publisher}/${each.name}`,
        url: each.url,
        card: cardUrl(each),
      })),
    },
  };
}
