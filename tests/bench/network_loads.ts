import { META, modernHeaders } from "../support/mcp_calls.ts";
import type { OauthLoad, OauthRequest } from "./oauth_load.ts";
import { type BenchAgent, NETWORK_CLIENT_ID } from "./network_server.ts";

/** What is measured, in the order of the table. */
export const DEEDS = [
  "warm read",
  "cold read",
  "question",
  "tool call",
  "me",
  "bid",
  "refresh",
] as const;

/** One of them. */
export type Deed = typeof DEEDS[number];

/** Whom it is asked of. */
export interface Asked {
  port: number;
  authPort: number;
  agents: readonly BenchAgent[];
  /** The first two bytes of client addresses that nobody has seen before. */
  network: string;
  /** The process's place among those that are asked at once. */
  nth: number;
}

/** Addresses of warm reads, which take turns. */
const WARM_ADDRESSES = 1_024;
/** Of all else, in its network: more than ask while it is measured. */
const COLD_ADDRESSES = 65_536;
/** Where in them each process begins. */
const COLD_ADDRESSES_OF_ONE = 20_000;
/** The networks of warm reads lie so far above the others. */
const WARM_NETWORKS = 250;
/** More than an agent places while it is measured, fewer than its bucket holds. */
const BIDS = 110;

const JSON_BODY = "Content-Type: application/json\r\n";

/** Whether it is asked by agents, each with its token. */
export function isOfAgents(deed: Deed): boolean {
  return deed === "me" || deed === "bid" || deed === "refresh";
}

/** The requests of a deed. */
export function loadOf(
  deed: Deed,
  asked: Asked,
): Omit<OauthLoad, "seconds" | "connections"> {
  const { requests, expected, then = "repeat" } = SHAPES[deed](asked);
  const { nth } = asked;
  return {
    port: isOfAgents(deed) ? asked.authPort : asked.port,
    requests,
    expected,
    then,
    ...deed === "warm read"
      // A client's connection stays with one process.
      ? {
        addresses: WARM_ADDRESSES,
        firstAddress: 0,
        network: `10.${WARM_NETWORKS + nth}`,
      }
      : {
        addresses: COLD_ADDRESSES,
        firstAddress: nth * COLD_ADDRESSES_OF_ONE,
        network: asked.network,
      },
  };
}

interface Shape {
  requests: OauthRequest[];
  expected: string;
  then?: OauthLoad["then"];
}

const SHAPES: Record<Deed, (asked: Asked) => Shape> = {
  "warm read": (asked) => read(asked, "/api/v1/spotlights"),
  "cold read": (asked) => read(asked, "/api/v1/spotlights"),
  question: (asked) => read(asked, "/ask?query=bids"),
  "tool call": ({ port }) => ({
    requests: [{
      head: `POST /mcp HTTP/1.1\r\n${hostOf(port)}${MCP}`,
      body: CALL,
    }],
    expected: "result",
  }),
  me: ({ authPort, agents }) => ({
    requests: agents.map((agent) => ({
      head: `GET /v1/agent/me HTTP/1.1\r\n${hostOf(authPort)}${bearer(agent)}`,
      body: "",
    })),
    expected: "user_id",
  }),
  bid: ({ authPort, agents }) => ({
    requests: Array.from({ length: BIDS }, (_, nth) => nth).flatMap((nth) =>
      agents.map((agent) => bid(authPort, agent, nth))
    ),
    expected: "bidCount",
    then: "nothing",
  }),
  refresh: ({ authPort, agents }) => ({
    requests: agents.map(({ refreshToken }) => ({
      head: `POST /oauth/token HTTP/1.1\r\n${hostOf(authPort)}` +
        "Content-Type: application/x-www-form-urlencoded\r\n",
      body: `grant_type=refresh_token&client_id=${
        encodeURIComponent(NETWORK_CLIENT_ID)
      }&refresh_token=${refreshToken}`,
    })),
    expected: "refresh_token",
    then: "refresh",
  }),
};

const CALLED = {
  name: "get_sandbox_spotlight",
  arguments: {},
  _meta: META,
};
const CALL = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: CALLED,
});
const MCP = Object.entries(modernHeaders("tools/call", CALLED))
  .map(([name, value]) => `${name}: ${value}\r\n`).join("") +
  JSON_BODY +
  "Accept: application/json, text/event-stream\r\n";

function read({ port }: Asked, path: string): Shape {
  const head = `GET ${path} HTTP/1.1\r\n${hostOf(port)}`;
  return { requests: [{ head, body: "" }], expected: "{" };
}

function bid(authPort: number, agent: BenchAgent, nth: number): OauthRequest {
  return {
    head: `POST /v1/agent/bids HTTP/1.1\r\n${hostOf(authPort)}` +
      bearer(agent) + JSON_BODY +
      `Idempotency-Key: ${crypto.randomUUID()}\r\n`,
    body: JSON.stringify({
      day: agent.day,
      ad_id: agent.adId,
      amount_cents: 1_000 + nth,
      currency: "EUR",
    }),
  };
}

function hostOf(port: number): string {
  return `Host: localhost:${port}\r\n`;
}

function bearer({ accessToken }: BenchAgent): string {
  return `Authorization: Bearer ${accessToken}\r\n`;
}
