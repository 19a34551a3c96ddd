import {
  type McpServer,
  type ReadResourceResult,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { readAccountSummary } from "../../../domain/accounts/account_summary.ts";
import { listMyBids } from "../../../domain/bids/list_my_bids.ts";
import type { Scope } from "../../../domain/oauth/grant.ts";
import type { Services } from "../../../domain/ports.ts";
import type { Served } from "../../mcp/endpoint.ts";
import { dayInUri } from "../../mcp/day_in_uri.ts";
import { guardedRead } from "../../mcp/guarded_read.ts";
import type { ProblemServices } from "../../mcp/problem_of.ts";
import { scopeChallenge } from "../../mcp/scope_challenge.ts";
import { wireBid, wireSummary } from "../agent/wire.ts";
import type { AdvertiserCaller, AdvertiserTool } from "./advertiser_caller.ts";

/** What the resources are read from. */
export interface AdvertiserResourceParts extends ProblemServices {
  services: Services;
  tools: readonly AdvertiserTool[];
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
  const { services, tools } = parts;
  const { era, method, caller: { grant }, requestId } = served;
  const isShown = (scope: Scope) =>
    method === "resources/read" || grant.scopes.includes(scope);
  const reading = async (
    { href: uri }: URL,
    signal: AbortSignal,
    read: () => unknown,
  ): Promise<ReadResourceResult> => {
    const value = await guardedRead(parts, { uri, requestId, signal }, read);
    const text = JSON.stringify(value);
    return { contents: [{ uri, mimeType: JSON_TYPE, text }] };
  };

  server.registerResource(
    "tools",
    "spotlight://tools",
    {
      mimeType: JSON_TYPE,
      title: "Tools and their scopes",
      description: "Every tool of this server, those included that this " +
        "token lacks the scope for",
    },
    (uri, { mcpReq }) => reading(uri, mcpReq.signal, () => listOf(tools)),
  );
  if (isShown("account:read")) {
    server.registerResource(
      "account",
      "spotlight://account",
      {
        mimeType: JSON_TYPE,
        title: "Account",
        description: "The account and what a first bid needs, as get_account",
        ...scopeChallenge(era, grant.scopes, "account:read"),
      },
      (uri, { mcpReq }) =>
        reading(uri, mcpReq.signal, async () => {
          const open = { day: null, adId: null, amountCents: null };
          return wireSummary(await readAccountSummary(services, grant, open));
        }),
    );
  }
  if (isShown("bids:read")) {
    server.registerResource(
      "bids",
      new ResourceTemplate("spotlight://bids/{day}", { list: undefined }),
      {
        mimeType: JSON_TYPE,
        title: "Own bids of a day",
        description: "day is a UTC day written YYYY-MM-DD, as list_my_bids",
        ...scopeChallenge(era, grant.scopes, "bids:read"),
      },
      (uri, { day }, { mcpReq }) =>
        reading(uri, mcpReq.signal, async () => {
          const { accountId } = grant;
          const asked = { accountId, day: dayInUri(day) };
          return { bids: (await listMyBids(services, asked)).map(wireBid) };
        }),
    );
  }
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
