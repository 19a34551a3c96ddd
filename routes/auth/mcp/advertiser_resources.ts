import { invariant } from "../../../domain/invariant.ts";
import { dayInUri } from "../../mcp/day_in_uri.ts";
import type { Resource } from "../../mcp/server.ts";
import type { AdvertiserCaller, AdvertiserTool } from "./advertiser_caller.ts";

const mimeType = "application/json";

/** What changes with each event. */
export const EVENTS_URI = "spotlight://events";

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
  list_events: {
    name: "events",
    uri: EVENTS_URI,
    title: "Events",
    text: "The oldest events that are kept, as list_events. Subscribe to it " +
      "to hear of new ones, and list those with list_events and its after",
  },
  list_my_bids: {
    name: "bids",
    uri: "spotlight://bids/{day}",
    title: "Own bids of a day",
    text: "day is a UTC day written YYYY-MM-DD, as list_my_bids",
  },
};

/** What some of the tools read, at addresses. */
export function advertiserResources(
  tools: readonly AdvertiserTool[],
): Resource<AdvertiserCaller>[] {
  return tools.flatMap(resourcesOf);
}

function resourcesOf(tool: AdvertiserTool): Resource<AdvertiserCaller>[] {
  const at = READ_AT[tool.name];
  if (at === undefined) return [];
  const { scope } = tool;
  invariant(typeof scope === "string", "what is read takes one scope");
  const { name, uri, title, text } = at;
  const description = `${text}. Needs ${scope}`;
  return [{
    name,
    uri,
    told: { mimeType, title, description },
    scope,
    async read(call, day) {
      const given = day === undefined ? {} : { day: dayInUri(day) };
      return JSON.stringify(await tool.handle(given, call));
    },
  }];
}
