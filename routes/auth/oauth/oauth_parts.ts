import { FairQueue } from "../../../domain/fetching/fair_queue.ts";
import type { Asker } from "../../../domain/oauth/clients/fetch_documents.ts";
import {
  type ClientDirectory,
  createClientDirectory,
} from "../../../domain/oauth/clients/resolve_client.ts";
import type { RepeatPromises } from "../../../domain/oauth/first_tokens.ts";
import type { ExchangeServices } from "../../../domain/oauth/issue_tokens.ts";
import { UntoldRefreshes } from "../../../domain/oauth/untold_refreshes.ts";
import type { Parameters } from "../../../domain/oauth/parameters.ts";
import type { InTurn } from "../../../domain/operations/transact_in_turn.ts";
import type { StartTimer } from "../../../domain/ports.ts";
import { networksOf, widestOf } from "../../../domain/rate_limit/network.ts";
import type { RouteServices } from "../../context.ts";
import { clientOf } from "../../middleware/rate_limit.ts";
import { chargeClientFetch } from "../../middleware/shared_budgets.ts";
import type { RouteContext } from "../../route_table.ts";

/** What the authorization server is given. */
export interface OauthRouting extends RouteServices {
  startTimer: StartTimer;
}

/** What the endpoints of the authorization server are made of. */
export interface OauthParts extends Omit<OauthRouting, "startTimer"> {
  clients: ClientDirectory;
  promises: RepeatPromises;
  untold: UntoldRefreshes;
  /** At whose wish something is fetched for the request. */
  askerOf(context: RouteContext): Asker;
}

/** A token request on its way. */
export interface TokenRequest {
  parts: OauthParts;
  context: RouteContext;
  form: Parameters;
  /** In the turn of the grant that is shown, or of the client's network. */
  inTurn: ExchangeServices;
  /** In the turn of the client's network. */
  lookUp: InTurn;
}

/** Makes the parts that all endpoints share. */
export function oauthParts(routing: OauthRouting): OauthParts {
  const { services, startTimer } = routing;
  const queue = new FairQueue({ clock: services.clock, startTimer });
  return {
    ...routing,
    clients: createClientDirectory(services, queue),
    promises: new Map(),
    untold: new UntoldRefreshes(),
    askerOf: (context) => ({
      network: widestOf(networksOf(clientOf(context, routing))),
      admit: () => chargeClientFetch(context, routing),
    }),
  };
}
