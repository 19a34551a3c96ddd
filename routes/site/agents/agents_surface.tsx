import { findCallbacks } from "../../../domain/callbacks/set_callback.ts";
import { listLiveBids } from "../../../domain/bids/list_live_bids.ts";
import { listGrants } from "../../../domain/oauth/list_grants.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import { PAGES } from "../../../domain/pages.ts";
import { limitAccount } from "../../middleware/person_limits.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { advertiserPage, type PageRequest } from "../pages/advertiser_page.ts";
import { doneNote, sayDone } from "../pages/done_note.ts";
import { AgentsPage } from "./agents_page.tsx";
import { replayWebhook, setWebhook, showWebhook } from "./webhook_routes.tsx";
import { agentsView, isConnected } from "./agents_view.ts";
import { change, showChange } from "./change_agent.tsx";

const NOTES = {
  revoked: "The agent was revoked. Its next request is refused.",
  changed: "What the agent may do was changed.",
};

/** The connections of an account: `/agents`. */
export function agentsSurface(parts: AdvertiserParts): Surface {
  return advertiserPage(parts, {
    path: PAGES.agents,
    proceed: [limitAccount(parts)],
    get: {
      [PAGES.agents]: showAgents,
      [`${PAGES.agents}/:grant`]: showChange,
      [`${PAGES.agents}/:grant/webhook`]: showWebhook,
    },
    post: {
      [`${PAGES.agents}/:grant`]: change,
      [`${PAGES.agents}/:grant/revoke`]: revoke,
      [`${PAGES.agents}/:grant/webhook`]: setWebhook,
      [`${PAGES.agents}/:grant/webhook/replay`]: replayWebhook,
    },
  });
}

async function showAgents(request: PageRequest): Promise<Response> {
  const { services, accountId, show } = request;
  const [overviews, liveBids] = await Promise.all([
    listGrants(services, { accountId }),
    listLiveBids(services, { accountId }),
  ]);
  const view = agentsView(overviews, liveBids);
  const callbacks = await findCallbacks(
    services,
    overviews.filter(isConnected).map(({ grant }) => grant),
  );
  const { auctionHours: hours, authUrl } = services.settings;
  const done = doneNote(request, NOTES);
  return show(<AgentsPage {...{ view, callbacks, hours, authUrl, done }} />);
}

/** A grant of another account is as good as unknown: 404. */
async function revoke(request: PageRequest): Promise<Response> {
  const { services, accountId, param } = request;
  await revokeGrant(services, { grantId: param("grant"), accountId });
  return sayDone(request, { path: PAGES.agents, done: "revoked" });
}
