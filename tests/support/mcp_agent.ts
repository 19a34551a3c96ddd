/**
 * Calls of the advertiser server beside the agent API, as two eras of clients
 * send them.
 *
 * @module
 */
import type { AgentApi } from "./agent_api.ts";
import type { Agent } from "./bidding_world.ts";
import { META, modernHeaders, type Params } from "./mcp_calls.ts";

/** How a request is sent. */
export interface McpAsk {
  /** Whose token is sent; none when left out. */
  as?: Agent | undefined;
  /** A client of 2025-11-25 instead of 2026-07-28. */
  old?: boolean;
  headers?: Record<string, string>;
  from?: string;
}

/** What a tool answered. */
export interface ToolAnswer {
  status: number;
  isError: boolean;
  /** The object. */
  // deno-lint-ignore no-explicit-any -- tests compare what they expect of it
  content: any;
  /** The same as text, byte for byte as it came. */
  text: string;
  /** Whether the result says that it was written before, for the same key. */
  isReplay: boolean;
}

/** Sends a request of the protocol. */
export function rpc(
  api: Pick<AgentApi, "ask">,
  method: string,
  params: Params = {},
  { as, old = false, headers = {}, from }: McpAsk = {},
): Promise<Response> {
  const body = {
    jsonrpc: "2.0",
    id: 1,
    method,
    params: old ? params : { ...params, _meta: META },
  };
  return api.ask("/mcp", {
    ...as && { as },
    ...from !== undefined && { from },
    headers: {
      host: "api.spotlight.example",
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...old
        ? { "mcp-protocol-version": "2025-11-25" }
        : modernHeaders(method, params) as Record<string, string>,
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

/** The result of a request that has to have one. */
// deno-lint-ignore no-explicit-any -- tests compare what they expect of it
export async function resultOf(answer: Response): Promise<any> {
  const body = await answer.json();
  if (body.result === undefined) {
    throw new Error(`No result: ${answer.status} ${JSON.stringify(body)}`);
  }
  return body.result;
}

/** Calls a tool that answers, be it by a refusal. */
export async function callTool(
  api: Pick<AgentApi, "ask">,
  as: Agent | undefined,
  name: string,
  given: Params = {},
  options: McpAsk = {},
): Promise<ToolAnswer> {
  const params = { name, arguments: given };
  const answer = await rpc(api, "tools/call", params, { as, ...options });
  const { status } = answer;
  const result = await resultOf(answer);
  return {
    status,
    isError: result.isError ?? false,
    content: result.structuredContent,
    text: result.content[0].text,
    isReplay: result._meta?.["spotlight/idempotent-replayed"] ?? false,
  };
}

/** The names of the tools that are listed. */
export async function toolNames(
  api: Pick<AgentApi, "ask">,
  options: McpAsk,
): Promise<string[]> {
  const { tools } = await resultOf(await rpc(api, "tools/list", {}, options));
  return tools.map(({ name }: { name: string }) => name);
}
