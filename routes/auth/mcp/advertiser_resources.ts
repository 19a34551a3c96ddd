import { invariant } from "../../../domain/invariant.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { Services } from "../../../domain/ports.ts";
import { refuse } from "../../../domain/refusal.ts";
import { RESULT_TEXT_MAX } from "../../mcp/call.ts";
import { dayInUri } from "../../mcp/day_in_uri.ts";
import type { Resource } from "../../mcp/server.ts";
import {
  type AgentOperation,
  type Download,
  RESOURCE_PREFIX,
} from "../../operations/operation.ts";
import type { AdvertiserCaller, AdvertiserTool } from "./advertiser_caller.ts";

const mimeType = "application/json";

/** Longest document that is read in one message, as long as a tool's answer. */
const DOCUMENT_MAX_BYTES = RESULT_TEXT_MAX;

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

/** What some of the tools read, and what the API has as documents. */
export function advertiserResources(
  services: Services,
  operations: readonly AgentOperation[],
  tools: readonly AdvertiserTool[],
): Resource<AdvertiserCaller>[] {
  return [
    ...tools.flatMap(resourcesOf),
    ...operations.filter((each) => each.kind === "download")
      .map((each) => documentOf(services, each)),
  ];
}

/** Under its path of the API, which an agent's token does not open. */
function documentOf(
  services: Services,
  { at, id, scope, title, mimeType, document }: Download,
): Resource<AdvertiserCaller> {
  const [, path] = at.split(" ");
  const told = { mimeType, title, description: `${title}. Needs ${scope}` };
  return {
    name: id,
    uri: `${RESOURCE_PREFIX}${path}`,
    told,
    scope,
    async read({ caller: { grant, admitted } }, named) {
      await admitted;
      const bytes = await document(services, grant, named);
      if (bytes.byteLength > DOCUMENT_MAX_BYTES) refuseLong(services);
      return mimeType === "application/json"
        ? new TextDecoder().decode(bytes)
        : bytes;
    },
  };
}

function refuseLong({ settings: { baseUrl } }: Services): never {
  refuse({
    code: "invalid_input",
    message: `Cannot read the document: it is longer than the ` +
      `${DOCUMENT_MAX_BYTES} bytes of a message here, the user downloads it ` +
      `at ${baseUrl}${PAGES.privacy}`,
  });
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
    async read(call, { day }) {
      const given = day === undefined ? {} : { day: dayInUri(day) };
      return JSON.stringify(await tool.handle(given, call));
    },
  }];
}
