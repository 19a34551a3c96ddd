import type { Admit } from "../../../domain/oauth/clients/resolve_client.ts";
import {
  type ClientDirectory,
  createClientDirectory,
} from "../../../domain/oauth/clients/resolve_client.ts";
import type { RouteServices } from "../../context.ts";
import { chargeClientFetch } from "../../middleware/rate_limit.ts";
import type { RouteContext } from "../../route_table.ts";

/** What the endpoints of the authorization server are made of. */
export interface OauthParts extends RouteServices {
  clients: ClientDirectory;
  /** Charges the request before something is fetched on its behalf. */
  admitFetch(context: RouteContext): Admit;
}

/** Makes the parts that all endpoints share. */
export function oauthParts(routing: RouteServices): OauthParts {
  return {
    ...routing,
    clients: createClientDirectory(routing.services),
    admitFetch: (context) => () => chargeClientFetch(context, routing),
  };
}
