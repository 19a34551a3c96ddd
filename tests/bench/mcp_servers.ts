/**
 * The tool servers that are measured, each in a process of its own, and what
 * they are asked.
 *
 * @module
 */
import { Connection } from "../../tools/bench/load/connection.ts";
import { type Load, requestTexts } from "../../tools/bench/load/generator.ts";
import { installedPeers } from "../../tools/bench/peers.ts";
import { freePort, Server } from "../../tools/bench/processes.ts";
import { META, modernHeaders, type Params } from "../support/mcp_calls.ts";
import { DOCS_HOST, HOST, SPOTLIGHT } from "./read_servers.ts";

/** A tool that is called. */
export type CallName = "read_docs_page" | "get_spotlight";

/** What one call asks for. */
interface Call {
  /** The host of the server of ours that has the tool. */
  host: string;
  given: Params;
}

/** The calls, of the documentation server and of the public one. */
export const CALLS: Readonly<Record<CallName, Call>> = {
  read_docs_page: {
    host: DOCS_HOST,
    given: { path: "/auth.md" },
  },
  get_spotlight: { host: HOST, given: { day: SPOTLIGHT.day } },
};

/** The part of a load that is the request. */
export type Asked = Pick<Load, "host" | "path" | "headers" | "body">;

const JSON_HEADERS = {
  "Content-Type": "application/json",
  "Accept": "application/json, text/event-stream",
};

/** A call as a client of 2026-07-28 makes it. */
export function modernCall(name: CallName): Asked {
  const { host, given } = CALLS[name];
  const params = { name, arguments: given, _meta: META };
  const headers = modernHeaders("tools/call", params) as Record<string, string>;
  return asked(host, params, headers);
}

/** A call as a client of 2025-06-18 makes it. */
export function legacyCall(name: CallName): Asked {
  const { host, given } = CALLS[name];
  return asked(host, { name, arguments: given }, {
    "MCP-Protocol-Version": "2025-06-18",
  });
}

function asked(
  host: string,
  params: Params,
  headers: Readonly<Record<string, string>>,
): Asked {
  return {
    host,
    path: "/mcp",
    headers: { ...JSON_HEADERS, ...headers },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params,
    }),
  };
}

/** What the SDK's server on Express answers with. */
export interface PeerAnswers {
  page: unknown;
  record: unknown;
}

/** The SDK 1.32 on Express; its example answers streams of one event. */
export async function startExpress(
  streams: boolean,
  answers: PeerAnswers,
): Promise<Server> {
  const port = freePort();
  return await Server.start({
    command: "node",
    args: ["mcp_express.js", JSON.stringify({ port, streams, ...answers })],
    env: { NODE_ENV: "production" },
    cwd: await installedPeers(),
    port,
    readyPath: "/",
  });
}

/**
 * The object that a call is answered with.
 *
 * @throws when it is answered anything else
 */
export async function answerOf(port: number, call: Asked): Promise<unknown> {
  using connection = await Connection.open(port);
  const load = {
    port,
    addresses: 1,
    firstAddress: 0,
    connections: 1,
    seconds: 1,
  };
  const [request = ""] = requestTexts({ ...load, ...call });
  const { bytes, bodyStart, end, status } = await connection.ask(
    new TextEncoder().encode(request),
  );
  const text = new TextDecoder().decode(bytes.subarray(bodyStart, end));
  const { result } = JSON.parse(text);
  if (status !== 200 || result?.structuredContent === undefined) {
    throw new Error(`Cannot measure: a server answers ${text}`);
  }
  return result.structuredContent;
}
