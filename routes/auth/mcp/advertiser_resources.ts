import { dayInUri } from "../../mcp/day_in_uri.ts";
import type { Resource } from "../../mcp/server.ts";
import type { AdvertiserCaller, AdvertiserTool } from "./advertiser_caller.ts";

const mimeType = "application/json";

/** Tools whose answer can be read at an address as well. */
const READ_AT: Readonly<
  Record<string, { name: string; uri: string; title: string; text: string }>
> = {
  get_account: {
    name: "account",
    uri: "spotlight://account",
    title: "Account",
    text: "The account and what a first bid needs, as get_account",
  },
  list_my_bids: {
    name: "bids",
    uri: "spotlight://bids/{day}",
    title: "Own bids of a day",
    text: "day is a UTC day written YYYY-MM-DD, as list_my_bids",
  },
};

/** The tools there are, with the scope of each, and what some of them read. */
export function advertiserResources(
  tools: readonly AdvertiserTool[],
): Resource<AdvertiserCaller>[] {
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
  }, ...tools.flatMap(resourcesOf)];
}

function resourcesOf(tool: AdvertiserTool): Resource<AdvertiserCaller>[] {
  const at = READ_AT[tool.name];
  if (at === undefined) return [];
  const { name, uri, title, text: description } = at;
  return [{
    name,
    uri,
    told: { mimeType, title, description },
    scope: tool.scope,
    async read(call, day) {
      const given = day === undefined ? {} : { day: dayInUri(day) };
      return JSON.stringify(await tool.handle(given, call));
    },
  }];
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
