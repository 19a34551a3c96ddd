import { invariant } from "../../../domain/invariant.ts";
import { dayInUri } from "../../mcp/day_in_uri.ts";
import type { Resource } from "../../mcp/server.ts";
import type { AdvertiserCaller, AdvertiserTool } from "./advertiser_caller.ts";

const mimeType = "application/json";

/**
 * What can be read beside the tools: the account, the tools there are with the
 * scope of each, and own bids by day.
 */
export function advertiserResources(
  tools: readonly AdvertiserTool[],
): Resource<AdvertiserCaller>[] {
  const account = toolNamed(tools, "get_account");
  const bids = toolNamed(tools, "list_my_bids");
  return [{
    name: "tools",
    uri: "spotlight://tools",
    told: {
      mimeType,
      title: "Tools and their scopes",
      description: "Every tool of this server, those included that this " +
        "token lacks the scope for",
    },
    scope: null,
    read: () => JSON.stringify(listOf(tools)),
  }, {
    name: "account",
    uri: "spotlight://account",
    told: {
      mimeType,
      title: "Account",
      description: "The account and what a first bid needs, as get_account",
    },
    scope: account.scope,
    read: async (call) => JSON.stringify(await account.handle({}, call)),
  }, {
    name: "bids",
    uri: "spotlight://bids/{day}",
    told: {
      mimeType,
      title: "Own bids of a day",
      description: "day is a UTC day written YYYY-MM-DD, as list_my_bids",
    },
    scope: bids.scope,
    read: async (call, day) =>
      JSON.stringify(await bids.handle({ day: dayInUri(day) }, call)),
  }];
}

function toolNamed(
  tools: readonly AdvertiserTool[],
  name: string,
): AdvertiserTool {
  const tool = tools.find((each) => each.name === name);
  invariant(tool !== undefined, `there is a tool ${name}`);
  return tool;
}

/** What each tool is for and takes, whoever asks. */
function listOf(tools: readonly AdvertiserTool[]): unknown {
  return {
    tools: tools.map(({ name, title, description, scope }) => ({
      name,
      title,
      description,
      required_scopes: scope === null ? [] : [scope],
    })),
  };
}
