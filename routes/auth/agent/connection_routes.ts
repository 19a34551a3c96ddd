import {
  type ConnectionRecord,
  toConnectionRecord,
} from "../../../domain/oauth/connection_record.ts";
import type { Grant } from "../../../domain/oauth/grant.ts";
import { listGrants } from "../../../domain/oauth/list_grants.ts";
import { revokeConnection } from "../../../domain/oauth/revoke_connection.ts";
import type { Services } from "../../../domain/ports.ts";
import { MADE_POSITION, madePlace, madePosition } from "../../made_position.ts";
import { grantWith } from "../../middleware/bearer.ts";
import { type Route, route } from "../../route_table.ts";
import { agentAnswer } from "./agent_answer.ts";
import { bindingOf, boundJson } from "./bound_request.ts";
import {
  type ListAnswer,
  listAnswer,
  type ListQuery,
  parseListQuery,
} from "../../http/list_query.ts";

const PATH = "/v1/agent/connections";

/** How a refusal of the list begins. */
export const CONNECTIONS_ACTION = "Cannot list the connections";

/** The operations behind `connections:read` and `connections:write`. */
export function connectionRoutes(services: Services): Route[] {
  return [
    route("GET", PATH, async (context) => {
      const grant = grantWith(context, "connections:read");
      const asked = parseListQuery(context, CONNECTIONS_ACTION, MADE_POSITION);
      return agentAnswer(
        context,
        await connectionsPage(services, grant, asked),
      );
    }),
    route("DELETE", `${PATH}/:id`, async (context) => {
      const grant = grantWith(context, "connections:write");
      const { accountId } = grant;
      const binding = bindingOf(context, grant);
      const grantId = context.req.param("id");
      const asked = { accountId, grantId, binding };
      return boundJson(context, await revokeConnection(services, asked));
    }),
  ];
}

/** A part of the account's connections, newest first, as one of them asks. */
export async function connectionsPage(
  services: Services,
  { accountId, id: asking }: Grant,
  asked: ListQuery,
): Promise<ListAnswer<ConnectionRecord>> {
  const window = { limit: asked.limit + 1, after: madePlace(asked.after) };
  const following = await listGrants(services, { accountId, window });
  return listAnswer(following, asked, {
    wire: (overview) => toConnectionRecord(overview, asking),
    positionOf: ({ grant }) => madePosition(grant),
  });
}
