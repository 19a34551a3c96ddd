import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { invariant } from "../../../domain/invariant.ts";
import type { Scope } from "../../../domain/oauth/grant.ts";
import { dayInUri } from "../../mcp/day_in_uri.ts";
import type { Served, ToolCall } from "../../mcp/types.ts";
import { guardedRead } from "../../mcp/guarded_read.ts";
import type { ProblemServices } from "../../mcp/problem_of.ts";
import { scopeChallenge } from "../../mcp/scope_challenge.ts";
import type { AdvertiserCaller, AdvertiserTool } from "./advertiser_caller.ts";

/** What the resources are read from. */
export interface AdvertiserResourceParts extends ProblemServices {
  tools: readonly AdvertiserTool[];
}

/** Something that can be read at an address. */
interface AdvertiserResource {
  name: string;
  /** An address, or a template with `{day}`. */
  uri: string;
  title: string;
  description: string;
  /** Null for what every token may read. */
  scope: Scope | null;
  read(
    call: ToolCall<AdvertiserCaller>,
    day: string | string[] | undefined,
  ): unknown;
}

const JSON_TYPE = "application/json";

/**
 * Registers the account, the tools there are with the scope of each, and own
 * bids by day. A resource whose scope the token lacks is not listed; reading
 * it is answered with a challenge, as calling such a tool is.
 */
export function registerAdvertiserResources(
  server: McpServer,
  parts: AdvertiserResourceParts,
  served: Served<AdvertiserCaller>,
): void {
  const { era, method, caller: { grant } } = served;
  for (const resource of resourcesOf(parts.tools)) {
    const { scope } = resource;
    const held = scope === null || grant.scopes.includes(scope);
    if (!held && method !== "resources/read") continue;
    register(server, parts, served, resource, {
      mimeType: JSON_TYPE,
      title: resource.title,
      description: resource.description,
      ...scope !== null && scopeChallenge(era, grant.scopes, scope),
    });
  }
}

function resourcesOf(
  tools: readonly AdvertiserTool[],
): AdvertiserResource[] {
  const account = toolNamed(tools, "get_account");
  const bids = toolNamed(tools, "list_my_bids");
  return [{
    name: "tools",
    uri: "spotlight://tools",
    title: "Tools and their scopes",
    description: "Every tool of this server, those included that this " +
      "token lacks the scope for",
    scope: null,
    read: () => listOf(tools),
  }, {
    name: "account",
    uri: "spotlight://account",
    title: "Account",
    description: "The account and what a first bid needs, as get_account",
    scope: account.scope,
    read: (call) => account.handle({}, call),
  }, {
    name: "bids",
    uri: "spotlight://bids/{day}",
    title: "Own bids of a day",
    description: "day is a UTC day written YYYY-MM-DD, as list_my_bids",
    scope: bids.scope,
    read: (call, day) => bids.handle({ day: dayInUri(day) }, call),
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

function register(
  server: McpServer,
  parts: AdvertiserResourceParts,
  { caller, requestId }: Served<AdvertiserCaller>,
  { name, uri, read }: AdvertiserResource,
  told: Parameters<McpServer["registerResource"]>[2],
): void {
  const reading = async (
    { href }: URL,
    signal: AbortSignal,
    day?: string | string[],
  ) => {
    const asked = { uri: href, requestId, signal };
    const call = { caller, requestId, signal };
    const value = await guardedRead(parts, asked, () => read(call, day));
    const text = JSON.stringify(value);
    return { contents: [{ uri: href, mimeType: JSON_TYPE, text }] };
  };
  if (!uri.includes("{")) {
    server.registerResource(
      name,
      uri,
      told,
      (url, { mcpReq }) => reading(url, mcpReq.signal),
    );
    return;
  }
  server.registerResource(
    name,
    new ResourceTemplate(uri, { list: undefined }),
    told,
    (url, { day }, { mcpReq }) => reading(url, mcpReq.signal, day),
  );
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
