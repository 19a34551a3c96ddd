import type { Settings } from "../../domain/ports.ts";
import { pretty } from "../assets.ts";
import { renderPublic } from "../errors/public_surface.ts";
import { type Route, route, type Surface } from "../route_table.ts";
import { textAnswer } from "../http/text_answer.ts";
import {
  agentServerMetadata,
  type DiscoveryDocument,
  resourceMetadata,
  serverMetadata,
} from "./oauth_documents.ts";
import { SharedText } from "../http/respond.ts";

type Addresses = Pick<Settings, "authUrl" | "baseUrl">;

const SERVER = "/.well-known/oauth-authorization-server";
const RESOURCE = "/.well-known/oauth-protected-resource";

const HEADERS = {
  "content-type": "application/json",
  "cache-control": "public, max-age=300",
  "x-content-type-options": "nosniff",
};

/**
 * The discovery documents on `{auth_url}`, and whatever else is published
 * there. They cost nothing.
 */
export function authDiscovery(
  settings: Addresses,
  further: readonly Route[] = [],
): Surface {
  return discovery([
    document(SERVER, serverMetadata(settings)),
    document(`${SERVER}-agent`, agentServerMetadata(settings)),
    document(RESOURCE, resourceMetadata(settings, "agent")),
    document(`${RESOURCE}/mcp`, resourceMetadata(settings, "mcp")),
    ...further,
  ]);
}

/**
 * The discovery documents on `{base_url}`: the server's, byte for byte and with
 * the same issuer, that of the checkout as a resource, and whatever else the
 * site publishes there.
 */
export function siteDiscovery(
  settings: Addresses,
  further: readonly Route[] = [],
): Surface {
  return discovery([
    document(SERVER, serverMetadata(settings)),
    document(RESOURCE, resourceMetadata(settings, "site")),
    ...further,
  ]);
}

function discovery(routes: readonly Route[]): Surface {
  return {
    prefix: "/.well-known",
    openToScripts: true,
    routes,
    answers: { refused: renderPublic },
  };
}

function document(path: string, content: DiscoveryDocument): Route {
  const body = new SharedText(pretty(content));
  const answered = route(
    "GET",
    path,
    (context) => textAnswer(context, body, HEADERS),
  );
  return { ...answered, isFixed: true };
}
