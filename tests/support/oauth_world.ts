/**
 * The authorization server over a store of its own, asked without a network.
 *
 * @module
 */
import { startTimer } from "../../adapters/time/system_time.ts";
import type { Account } from "../../domain/accounts/account.ts";
import type { Services } from "../../domain/ports.ts";
import { createRateLimiter } from "../../domain/rate_limit/create_rate_limiter.ts";
import type { RateLimiter } from "../../domain/rate_limit/limiter.ts";
import { EMBEDDED_LANES, rateBuckets } from "../../kv/rate_buckets.ts";
import { agentSurface } from "../../routes/auth/agent/agent_routes.ts";
import { authDiscovery } from "../../routes/discovery/oauth_discovery.ts";
import { oauthSurfaces } from "../../routes/auth/oauth/oauth_surfaces.ts";
import type { RouteServices } from "../../routes/context.ts";
import { renderPublic } from "../../routes/errors/public_surface.ts";
import {
  type HostApp,
  routeTable,
  type Surface,
} from "../../routes/route_table.ts";
import { saveSession } from "./sessions.ts";
import {
  BID_SETTINGS,
  type BiddingWorld,
  openBiddingWorld,
  readyAccount,
} from "./bidding_world.ts";
import { askHost, AT_ONCE } from "./bindings.ts";
import { type ClientHost, openClientHost } from "./client_host.ts";
import type { TestStoreOptions } from "./store.ts";

/** Where the server is in tests. */
export const ISSUER = BID_SETTINGS.authUrl;

/** What is sent to an endpoint; null takes a member away. */
export type Members = Record<string, string | readonly string[] | null>;

/** The world of one test. */
export interface OauthWorld extends AsyncDisposable {
  bidding: BiddingWorld;
  services: Services;
  clients: ClientHost;
  limiter: RateLimiter;
  app: HostApp;
  /** Requests `{auth_url}` + path. */
  ask(path: string, init?: RequestInit, from?: string): Promise<Response>;
  /** Posts a form to the token endpoint. */
  post(members: Members): Promise<Response>;
}

/** Further surfaces of the host, made with the parts of the world. */
export type Further = (routing: RouteServices) => readonly Surface[];

/** Opens a world in which ada has an account and no agent. */
export async function openOauthWorld(
  options: TestStoreOptions & { further?: Further; opened?: boolean } = {},
): Promise<OauthWorld> {
  const bidding = await openBiddingWorld({ opened: false, ...options });
  const clients = openClientHost();
  const { clock, testStore } = bidding;
  const services = { ...bidding.services, fetcher: clients.fetcher };
  await saveAccount(services, readyAccount("ada"));
  await saveSession(services);
  const limiter = createRateLimiter({
    rows: rateBuckets(testStore.realKv, {
      lanes: options.lanes ?? EMBEDDED_LANES,
      nowMs: () => clock.now(),
    }),
    clock,
    startTimer,
    hashId: (text) => text,
  });
  const routing = { services, limiter, trustedProxyHops: 0 };
  const app = routeTable(services, [
    agentSurface(routing),
    ...oauthSurfaces({
      ...routing,
      startTimer,
    }),
    authDiscovery(services.settings),
    ...options.further?.(routing) ?? [],
    { prefix: "", routes: [], answers: { refused: renderPublic } },
  ]);
  let nth = 0;
  const ask: OauthWorld["ask"] = async (path, init, from) =>
    await askHost(app, `${ISSUER}${path}`, init, {
      // Each from an address of its own, unless the test is about limits.
      remoteAddress: from ?? `192.0.2.${nth++ % 250}`,
      trace: { requestId: "req_1", route: "", grantId: null },
      bodies: AT_ONCE,
      hold() {},
      holdCopy: () => () => {},
    });
  return {
    bidding,
    services,
    clients,
    limiter,
    app,
    ask,
    post: (members) => ask("/oauth/token", formOf(members)),
    async [Symbol.asyncDispose]() {
      await limiter.close();
      await clients[Symbol.asyncDispose]();
      await bidding[Symbol.asyncDispose]();
    },
  };
}

/** Stores an account. */
export async function saveAccount(
  { store }: Services,
  account: Account,
): Promise<void> {
  await store.transact((tx) => tx.accounts.save(account));
}

/** The request that posts a form. */
export function formOf(members: Members): RequestInit {
  return { method: "POST", body: paramsOf(members) };
}

/** Parameters in the order they are given. */
export function paramsOf(members: Members): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    for (const each of [value ?? []].flat()) params.append(name, each);
  }
  return params;
}
