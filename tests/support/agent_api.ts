import { startTimer } from "../../adapters/time/system_time.ts";
import { createRateLimiter } from "../../domain/rate_limit/create_rate_limiter.ts";
import type { RateLimiter } from "../../domain/rate_limit/limiter.ts";
import type { Services, StartTimer } from "../../domain/ports.ts";
import { EMBEDDED_LANES, rateBuckets } from "../../kv/rate_buckets.ts";
import { agentSurface } from "../../routes/auth/agent/agent_routes.ts";
import { advertiserMcpSurface } from "../../routes/auth/mcp/advertiser_mcp_surface.ts";
import { AGENT_OPERATIONS } from "../../routes/operations/agent_operations.ts";
import type { AgentOperation } from "../../routes/operations/operation.ts";
import type { AppEnv, RequestTrace } from "../../routes/context.ts";
import { renderPublic } from "../../routes/errors/public_surface.ts";
import { routeTable } from "../../routes/route_table.ts";
import {
  type Agent,
  BID_DAY,
  BID_SETTINGS,
  type BiddingWorld,
  openBiddingWorld,
} from "./bidding_world.ts";
import { askHost, AT_ONCE } from "./bindings.ts";
import type { TestStoreOptions } from "./store.ts";

/** What a request may say. */
export interface AskOptions {
  method?: string;
  /** Whose token is sent; none when left out. */
  as?: Agent;
  headers?: HeadersInit;
  body?: BodyInit;
  /** The client's address. */
  from?: string;
  /** Aborted when the client hangs up. */
  signal?: AbortSignal;
}

/** The agent API and its tool server over a world of its own, asked without a network. */
export interface AgentApi extends AsyncDisposable {
  world: BiddingWorld;
  limiter: RateLimiter;
  /** Requests `{auth_url}` + path. */
  ask(path: string, options?: AskOptions): Promise<Response>;
  /** The trace of the last request, which the request log is made from. */
  trace(): RequestTrace;
}

/** Opens the API with the auction of {@linkcode BID_DAY} open. */
export async function openAgentApi(
  options: TestStoreOptions & {
    opened?: boolean;
    /** Of what waits for the limiter; the real ones when left out. */
    timers?: StartTimer;
  } = {},
  changes: Partial<Services> | ((world: BiddingWorld) => Partial<Services>) =
    {},
  operations: readonly AgentOperation[] = AGENT_OPERATIONS,
): Promise<AgentApi> {
  const world = await openBiddingWorld(options);
  const { clock, testStore } = world;
  const services = {
    ...world.services,
    ...typeof changes === "function" ? changes(world) : changes,
  };
  const limiter = createRateLimiter({
    rows: rateBuckets(testStore.realKv, {
      lanes: options.lanes ?? EMBEDDED_LANES,
      nowMs: () => clock.now(),
    }),
    clock,
    startTimer: options.timers ?? startTimer,
    hashId: (text) => text,
  });
  const parts = { services, limiter, trustedProxyHops: 0 };
  const { signal: stopping } = new AbortController();
  const host = routeTable(services, [
    agentSurface(parts, operations),
    advertiserMcpSurface({ ...parts, stopping }, operations),
    { prefix: "", routes: [], answers: { refused: renderPublic } },
  ]);
  let trace: RequestTrace = { requestId: "", route: "", grantId: null };
  return {
    world,
    limiter,
    trace: () => trace,
    async ask(path, { method, as, headers, body, from, signal } = {}) {
      const sent = new Headers(headers);
      if (as) sent.set("authorization", `Bearer ${as.accessToken}`);
      const init = {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: sent,
        ...body !== undefined && { body },
        ...signal !== undefined && { signal },
      };
      trace = { requestId: "req_1", route: "", grantId: null };
      const env: AppEnv["Bindings"] = {
        remoteAddress: from ?? "192.0.2.1",
        trace,
        bodies: AT_ONCE,
        hold() {},
        holdCopy: () => () => {},
      };
      return await askHost(host, `${BID_SETTINGS.authUrl}${path}`, init, env);
    },
    async [Symbol.asyncDispose]() {
      await limiter.close();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** The members of a bid of EUR 10 by the agent, with what differs from it. */
export function bidMembers(
  agent: Agent,
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    day: BID_DAY,
    ad_id: agent.adId,
    amount_cents: 1_000,
    currency: "EUR",
    ...changes,
  };
}

/** Posts a bid by the agent. */
export function postBid(
  api: AgentApi,
  agent: Agent,
  changes: Record<string, unknown> = {},
  key = "key-1",
): Promise<Response> {
  return api.ask("/v1/agent/bids", {
    as: agent,
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify(bidMembers(agent, changes)),
  });
}
