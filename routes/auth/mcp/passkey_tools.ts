import { z } from "zod";
import { removePasskey } from "../../../domain/passkeys/own_passkeys.ts";
import type { Services } from "../../../domain/ports.ts";
import { MADE_POSITION } from "../../made_position.ts";
import { DESTROYS, READS } from "../../mcp/effects.ts";
import { orProblem } from "../../mcp/or_problem.ts";
import { defineTool } from "../../mcp/tool.ts";
import { keyArgument } from "../../mcp/tool_arguments.ts";
import { positionedQuery } from "../../http/list_query.ts";
import { PASSKEYS_ACTION, passkeysPage } from "../agent/passkey_routes.ts";
import type { AdvertiserTool } from "./advertiser_caller.ts";
import { boundCall, objectOf } from "./bound_call.ts";
import { listOf, passkey, removal } from "./outputs.ts";
import { pageArguments } from "./page_arguments.ts";

/** What is done with `security:read` and `security:write`. */
export function passkeyTools(services: Services): AdvertiserTool[] {
  return [listPasskeys(services), remove(services)];
}

function listPasskeys(services: Services): AdvertiserTool {
  return defineTool({
    name: "list_passkeys",
    title: "Passkeys",
    description: "Lists the passkeys that people sign in to the account " +
      "with, newest first: their names and when they were used. Passkeys are " +
      "added by the user in the browser.",
    annotations: READS,
    scope: "security:read",
    input: pageArguments,
    output: orProblem(listOf(passkey)),
    handle: (given, { caller: { grant: { accountId } } }) =>
      passkeysPage(
        services,
        accountId,
        positionedQuery(given, PASSKEYS_ACTION, MADE_POSITION),
      ),
  });
}

function remove(services: Services): AdvertiserTool {
  return defineTool({
    name: "remove_passkey",
    title: "Remove a passkey",
    description: "Takes a passkey away for good: nobody signs in with it any " +
      "more, and its owner is told by mail. The last way to sign in always " +
      "stays. Sessions that are open go on.",
    annotations: DESTROYS,
    scope: "security:write",
    input: z.strictObject({
      passkey_id: z.string().min(1).max(64).describe(
        "A passkey of the account",
      ),
      idempotency_key: keyArgument.optional(),
    }),
    output: orProblem(removal),
    async handle({ passkey_id: passkeyId, idempotency_key: key }, { caller }) {
      const operation = `DELETE /v1/agent/passkeys/${passkeyId}`;
      const { accountId, binding } = boundCall(caller, { operation, key });
      const asked = { accountId, passkeyId, binding };
      return objectOf(await removePasskey(services, asked));
    },
  });
}
