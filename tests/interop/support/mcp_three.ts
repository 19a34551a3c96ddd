/**
 * The three tool servers of a running service, ready for tools that are not
 * ours and know no tokens.
 *
 * @module
 */
import { assert } from "@std/assert";
import {
  auth,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { addDays, dayOf } from "../../../domain/day.ts";
import { settle, spotlight } from "../../support/public_spotlights.ts";
import { untilIndexed } from "../../support/until_indexed.ts";
import { McpMemory } from "./mcp_memory.ts";
import { type McpRelay, openMcpRelay } from "./mcp_relay.ts";
import type { InteropWorld } from "./world.ts";

/** What the servers are called. */
export const SERVERS = ["documentation", "public", "advertiser"] as const;

/** The name of a server. */
export type ServerName = typeof SERVERS[number];

/** The address of each server. */
export function addressOf(world: InteropWorld, name: ServerName): string {
  const { docsMcpUrl } = world.service.config.settings;
  if (name === "documentation") return docsMcpUrl;
  return `${name === "public" ? world.baseUrl : world.authUrl}/mcp`;
}

/** What the agent asks for: all that it may read. */
const SCOPE =
  "account:read bids:read creatives:read invoices:read billing:read";

/** A token for the advertiser server. */
export async function advertiserToken(world: InteropWorld): Promise<string> {
  const { book, callback, user } = world;
  const memory = new McpMemory<
    StoredOAuthClientInformation,
    StoredOAuthTokens,
    OAuthDiscoveryState
  >({ redirectUri: callback.redirectUri });
  const serverUrl = addressOf(world, "advertiser");
  const fetchFn = (url: string | URL, init?: RequestInit) =>
    book.fetch(url, init);
  const options = { serverUrl, scope: SCOPE, fetchFn };
  await auth(memory, options);
  assert(memory.authorizationUrl !== null);
  await user("ada").authorize(memory.authorizationUrl);
  const back = callback.take().searchParams;
  const authorizationCode = back.get("code") ?? "";
  await auth(memory, {
    ...options,
    authorizationCode,
    iss: back.get("iss") ?? "",
  });
  const token = memory.tokens()?.access_token;
  assert(token !== undefined);
  return token;
}

/**
 * A relay to a server, with a day that has settled. A second passes
 * between requests, so that no bucket gets empty.
 */
export async function openRelayTo(
  world: InteropWorld,
  name: ServerName,
): Promise<McpRelay> {
  await settleOne(world);
  const before = () => world.pass(1_000);
  const url = addressOf(world, name);
  if (name !== "advertiser") return await openMcpRelay({ url, before });
  const token = await advertiserToken(world);
  return await openMcpRelay({ url, before, token });
}

/** So that there is something to read, and to search. */
export async function settleOne(world: InteropWorld): Promise<void> {
  const { service } = world.service;
  const { store, clock } = service.core.services;
  await untilIndexed(service);
  await settle(store, spotlight(addDays(dayOf(clock.now()), -1)));
}
