import { newestOf } from "../../../domain/newest_first.ts";
import {
  listPasskeys,
  removePasskey,
} from "../../../domain/passkeys/own_passkeys.ts";
import {
  type PasskeyRecord,
  toPasskeyRecord,
} from "../../../domain/passkeys/passkey_record.ts";
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

const PATH = "/v1/agent/passkeys";

/** How a refusal of the list begins. */
export const PASSKEYS_ACTION = "Cannot list the passkeys";

/** The operations behind `security:read` and `security:write`. */
export function passkeyRoutes(services: Services): Route[] {
  return [
    route("GET", PATH, async (context) => {
      const { accountId } = grantWith(context, "security:read");
      const asked = parseListQuery(context, PASSKEYS_ACTION, MADE_POSITION);
      return agentAnswer(
        context,
        await passkeysPage(services, accountId, asked),
      );
    }),
    route("DELETE", `${PATH}/:id`, async (context) => {
      const grant = grantWith(context, "security:write");
      const { accountId } = grant;
      const binding = bindingOf(context, grant);
      const passkeyId = context.req.param("id");
      const asked = { accountId, passkeyId, binding };
      return boundJson(context, await removePasskey(services, asked));
    }),
  ];
}

/** A part of the account's passkeys, newest first. */
export async function passkeysPage(
  services: Services,
  accountId: string,
  asked: ListQuery,
): Promise<ListAnswer<PasskeyRecord>> {
  const all = await listPasskeys(services, accountId);
  const window = { limit: asked.limit + 1, after: madePlace(asked.after) };
  return listAnswer(newestOf(all, window), asked, {
    wire: toPasskeyRecord,
    positionOf: madePosition,
  });
}
