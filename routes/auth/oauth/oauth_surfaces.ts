import {
  oauthFailed,
  oauthUnavailable,
  renderOauth,
} from "../../errors/oauth_error.ts";
import type { Surface } from "../../route_table.ts";
import { authorizeSurface } from "./authorize.ts";
import { oauthParts, type OauthRouting } from "./oauth_parts.ts";
import { registerRoute } from "./register.ts";
import { tokenRoute } from "./token.ts";

/** The authorization server on `{auth_url}`: OAuth 2.1, code flow with PKCE. */
export function oauthSurfaces(routing: OauthRouting): Surface[] {
  const parts = oauthParts(routing);
  return [
    authorizeSurface(parts),
    {
      prefix: "/oauth",
      openToScripts: true,
      routes: [tokenRoute(parts), registerRoute(parts)],
      answers: {
        refused: renderOauth,
        failed: oauthFailed,
        unavailable: oauthUnavailable,
      },
    },
  ];
}
