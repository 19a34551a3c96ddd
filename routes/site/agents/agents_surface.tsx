import { listLiveBids } from "../../../domain/bids/list_live_bids.ts";
import { listGrants } from "../../../domain/oauth/list_grants.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import { PAGES } from "../../../domain/pages.ts";
import { limitAccount, limitChanges } from "../../middleware/rate_limit.ts";
import { seeOther, signedInOf } from "../../middleware/session.ts";
import { route, type RouteContext, type Surface } from "../../route_table.ts";
import { advertiserPage } from "../pages/advertiser_page.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { privateAnswer } from "../../pages/page_answer.ts";
import { queryParam } from "../../http/query.ts";
import { AgentsPage } from "./agents_page.tsx";
import { agentsView } from "./agents_view.ts";

/** The connections of an account: `/agents`. */
export function agentsSurface(parts: AdvertiserParts): Surface {
  return advertiserPage(parts, {
    path: PAGES.agents,
    proceed: [limitChanges(parts), limitAccount(parts)],
    routes: [
      route("GET", PAGES.agents, (context) => show(context, parts)),
      route(
        "POST",
        `${PAGES.agents}/:grant/revoke`,
        (context) => revoke(context, parts),
      ),
    ],
  });
}

async function show(
  context: RouteContext,
  { services }: AdvertiserParts,
): Promise<Response> {
  const { account: { id: accountId } } = signedInOf(context);
  const [overviews, liveBids] = await Promise.all([
    listGrants(services, { accountId }),
    listLiveBids(services, { accountId }),
  ]);
  const done = queryParam(context, "done") === "revoked"
    ? "The agent was revoked. Its next request is refused."
    : null;
  const view = agentsView(overviews, liveBids);
  return privateAnswer(context, <AgentsPage view={view} done={done} />);
}

/** A grant of another account is as good as unknown: 404. */
async function revoke(
  context: RouteContext,
  { services }: AdvertiserParts,
): Promise<Response> {
  const { account: { id: accountId } } = signedInOf(context);
  const grantId = context.req.param("grant") ?? "";
  await revokeGrant(services, { grantId, accountId });
  return seeOther(`${PAGES.agents}?done=revoked`);
}
