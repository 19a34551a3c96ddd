import { z } from "zod";
import { readAccountSummary } from "../../../domain/readiness/account_summary.ts";
import { updateAccount } from "../../../domain/accounts/update_account.ts";
import {
  readAuctionState,
  toAuctionStateRecord,
} from "../../../domain/auction/auction_state.ts";
import { findBid } from "../../../domain/bids/find_bid.ts";
import { listMyBids } from "../../../domain/bids/list_my_bids.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { parseIdempotencyKey } from "../../../domain/idempotency/key.ts";
import { MAX_BID_CENTS } from "../../../domain/limits.ts";
import type { Services } from "../../../domain/ports.ts";
import type { RouteServices } from "../../context.ts";
import { renderAgent } from "../../errors/agent_surface.ts";
import {
  grantBucket,
  grantWith,
  requireBearer,
} from "../../middleware/bearer.ts";
import { type Route, route, type Surface } from "../../route_table.ts";
import { day, integer, parseQuery, queryOf } from "../../http/query.ts";
import { parseAccountBody } from "./account_body.ts";
import { agentAnswer } from "./agent_answer.ts";
import { billingRoutes } from "./billing_routes.ts";
import { parseBidBody } from "./bid_body.ts";
import { bindingOf, boundJson } from "./bound_request.ts";
import { connectionRoutes } from "./connection_routes.ts";
import { adIdText } from "./creative_body.ts";
import { creativeRoutes } from "./creative_routes.ts";
import { invoiceRoutes } from "./invoice_routes.ts";
import { readJsonBody } from "../../http/json_body.ts";
import { passkeyRoutes } from "./passkey_routes.ts";
import { reportRoutes } from "./report_routes.ts";
import { wireBid, wireSummary } from "./wire.ts";

/** Where the agent API begins on `{auth_url}`. */
export const AGENT_PREFIX = "/v1/agent";

const dayQuery = z.object({ day });

const readinessQuery = z.object({
  day: day.optional(),
  ad_id: adIdText.optional(),
  amount_cents: integer(0, MAX_BID_CENTS).optional(),
});

/** The agent API under `{auth_url}/v1/agent` (contract §7). */
export function agentSurface(parts: RouteServices): Surface {
  const bucket = grantBucket(parts);
  return {
    prefix: AGENT_PREFIX,
    routes: agentRoutes(parts.services),
    openToScripts: true,
    enter: [requireBearer(parts), bucket.draw],
    proceed: [bucket.hold],
    answers: { refused: renderAgent },
  };
}

function agentRoutes(services: Services): Route[] {
  return [
    ...accountRoutes(services),
    ...bidRoutes(services),
    ...billingRoutes(services),
    ...connectionRoutes(services),
    ...creativeRoutes(services),
    ...invoiceRoutes(services),
    ...passkeyRoutes(services),
    ...reportRoutes(services),
  ];
}

function accountRoutes(services: Services): Route[] {
  return [
    route("GET", "/v1/agent/me", async (context) => {
      const grant = grantWith(context, "account:read");
      const asked = parseQuery(
        readinessQuery,
        queryOf(context.req.url),
        "Cannot read the account",
      );
      const summary = await readAccountSummary(services, grant, {
        day: asked.day ?? null,
        adId: asked.ad_id ?? null,
        amountCents: asked.amount_cents ?? null,
      });
      return agentAnswer(context, wireSummary(summary, services.settings));
    }),
    route("PATCH", "/v1/agent/me", async (context) => {
      const grant = grantWith(context, "account:write");
      bindingOf(context, grant); // a bad key is named before the body
      const body = await readJsonBody(context);
      const { accountId } = grant;
      const binding = bindingOf(context, grant, body);
      const changes = parseAccountBody(body);
      const asked = { accountId, changes, binding };
      return boundJson(context, await updateAccount(services, asked));
    }),
    route("GET", "/v1/agent/auction", async (context) => {
      grantWith(context, "account:read");
      const asked = parseQuery(
        dayQuery,
        queryOf(context.req.url),
        "Cannot read the auction",
      );
      const state = await readAuctionState(services, asked.day);
      return agentAnswer(context, toAuctionStateRecord(state));
    }),
  ];
}

function bidRoutes(services: Services): Route[] {
  return [
    route("GET", "/v1/agent/bids", async (context) => {
      const { accountId } = grantWith(context, "bids:read");
      const asked = parseQuery(
        dayQuery,
        queryOf(context.req.url),
        "Cannot list the bids",
      );
      const own = await listMyBids(services, { accountId, day: asked.day });
      return agentAnswer(context, { bids: own.map(wireBid) });
    }),
    route("GET", "/v1/agent/bids/:id", async (context) => {
      const { accountId } = grantWith(context, "bids:read");
      const bidId = context.req.param("id");
      const own = await findBid(services, { accountId, bidId });
      return agentAnswer(context, wireBid(own));
    }),
    route("POST", "/v1/agent/bids", async (context) => {
      const grant = grantWith(context, "bids:write");
      const idempotencyKey = parseIdempotencyKey(
        context.req.header("idempotency-key") ?? null,
      );
      const body = parseBidBody(await readJsonBody(context));
      const placed = await placeBid(services, {
        by: { grant },
        idempotencyKey,
        ...body,
      });
      return boundJson(context, placed);
    }),
  ];
}
