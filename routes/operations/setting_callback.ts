import { setCallback } from "../../domain/callbacks/set_callback.ts";
import { CHANGES } from "../mcp/effects.ts";
import { callbackBody, parseCallbackBody } from "../shapes/callback_body.ts";
import { type AgentOperation, type Change, change } from "./operation.ts";

/** Sets the connection's one callback: a scope each has its own operation. */
export function settingCallback(
  about: Pick<
    Change,
    | "at"
    | "scope"
    | "id"
    | "summary"
    | "docs"
    | "tool"
    | "title"
    | "description"
  >,
): AgentOperation {
  return change({
    ...about,
    effects: CHANGES,
    schema: "EventCallback",
    isAnswerSecret: true,
    body: {
      schema: "SetEventCallback",
      arguments: callbackBody.shape,
      parse: parseCallbackBody,
    },
    change: (services, { grant, body, binding }) => {
      const { accountId, id: grantId, scopes } = grant;
      const by = { grant };
      return setCallback(services, {
        accountId,
        grantId,
        by,
        scopes,
        ...body,
        binding,
      });
    },
  });
}
