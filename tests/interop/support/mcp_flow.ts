/**
 * The flow of the MCP libraries: they are told the address of a resource and
 * find out the rest themselves.
 *
 * @module
 */
import { sha256Hex } from "../../../domain/sha256.ts";
import { assert, assertEquals } from "@std/assert";
import { type McpIdentity, McpMemory } from "./mcp_memory.ts";
import { WORKING_SET } from "../../support/working_set.ts";
import type { InteropWorld } from "./world.ts";

/** How the client becomes known. */
export const INTRODUCTIONS = ["registers", "is known by its document"] as const;
/** Where the client wants to go. */
export const RESOURCES = ["the agent API", "the MCP server"] as const;

/** One way through the flow. */
export interface McpCase {
  introduction: typeof INTRODUCTIONS[number];
  resource: typeof RESOURCES[number];
}

/** Every way through the flow. */
export const MCP_CASES: readonly McpCase[] = INTRODUCTIONS.flatMap(
  (introduction) => RESOURCES.map((resource) => ({ introduction, resource })),
);

/** What a library's `auth()` is asked. */
export interface McpAuthOptions {
  serverUrl: string;
  authorizationCode?: string;
  iss?: string;
  resourceMetadataUrl?: URL;
  fetchFn: (url: string | URL, init?: RequestInit) => Promise<Response>;
}

/** The parts of a challenge that a library reads. */
export interface McpChallenge {
  resourceMetadataUrl?: URL;
  scope?: string;
}

/** A library under test. */
export interface McpLibrary<Information, Tokens, Discovery> {
  auth(
    memory: McpMemory<Information, Tokens, Discovery>,
    options: McpAuthOptions,
  ): Promise<"AUTHORIZED" | "REDIRECT">;
  readChallenge(response: Response): McpChallenge;
}

/** These libraries take no document from this machine. */
const DOCUMENT_URL = "https://agent.example/client.json";

const RESOURCE_DOCUMENT = "/.well-known/oauth-protected-resource";
const SERVER_DOCUMENT = "/.well-known/oauth-authorization-server";

/** Runs one case from the first request to the refreshed token. */
export async function runMcpCase<
  Information extends { client_id: string },
  Tokens extends { access_token: string; scope?: string | undefined },
  Discovery,
>(
  world: InteropWorld,
  library: McpLibrary<Information, Tokens, Discovery>,
  { introduction, resource }: McpCase,
): Promise<void> {
  const { authUrl, callback, user } = world;
  const isMcp = resource === "the MCP server";
  const serverUrl = `${authUrl}${isMcp ? "/mcp" : "/v1/agent/me"}`;
  const documented = introduction === "is known by its document";
  const memory = new McpMemory<Information, Tokens, Discovery>(
    await identityOf(world, documented),
  );
  const { asked, fetchFn } = pathsAsked(world);
  const challenge = await challengeOf(world, library, serverUrl);
  const options = { serverUrl, fetchFn, ...challenge };

  assertEquals(await library.auth(memory, options), "REDIRECT");
  const { authorizationUrl } = memory;
  assert(authorizationUrl !== null);
  const { searchParams } = authorizationUrl;
  assertEquals(searchParams.get("scope"), WORKING_SET);
  assertEquals(searchParams.get("resource"), authUrl + (isMcp ? "/mcp" : ""));
  await user("ada").authorize(authorizationUrl, { scopes: ["account:read"] });
  const back = callback.take().searchParams;
  const answer = {
    authorizationCode: back.get("code") ?? "",
    iss: back.get("iss") ?? "",
  };
  const redeemed = await library.auth(memory, { ...options, ...answer });
  assertEquals(redeemed, "AUTHORIZED");
  const first = memory.tokens();
  assertEquals(first?.scope, "account:read");
  assertEquals(await library.auth(memory, options), "AUTHORIZED");
  const second = memory.tokens();
  assert(second?.access_token !== first?.access_token);

  const clientId = memory.clientInformation()?.client_id ?? "";
  assertEquals(clientId === DOCUMENT_URL, documented);
  assertEquals(asked, [
    isMcp ? `${RESOURCE_DOCUMENT}/mcp` : RESOURCE_DOCUMENT,
    SERVER_DOCUMENT,
    ...documented ? [] : ["/oauth/register"],
    "/oauth/token",
    "/oauth/token",
  ]);
  const token = second?.access_token ?? "";
  // A token for the MCP server is good there alone.
  assertEquals(await statusOf(world, token), isMcp ? 401 : 200);
}

/** Publishes the document of a client that has one. */
async function identityOf(
  { callback, service }: InteropWorld,
  documented: boolean,
): Promise<McpIdentity> {
  const { redirectUri } = callback;
  if (!documented) return { redirectUri };
  const { store, clock } = service.service.core.services;
  const nowMs = clock.now();
  const body = JSON.stringify({
    client_id: DOCUMENT_URL,
    client_name: "MCP agent",
    redirect_uris: [redirectUri],
  });
  // As if it had just been fetched: nobody's name leads to this machine.
  await store.transact((tx) =>
    tx.fetchedDocuments.save({
      urlHash: sha256Hex(DOCUMENT_URL),
      url: DOCUMENT_URL,
      body,
      fetchedAtMs: nowMs,
      expiresAtMs: nowMs + 3_600_000,
    })
  );
  return { redirectUri, documentUrl: DOCUMENT_URL };
}

function pathsAsked({ book }: InteropWorld) {
  const asked: string[] = [];
  const fetchFn: McpAuthOptions["fetchFn"] = (url, init) => {
    asked.push(new URL(url).pathname);
    return book.fetch(url, init);
  };
  return { asked, fetchFn };
}

/**
 * What the resource says to a client without a token. A path that is not served
 * yet says nothing: the client then finds the document by its path.
 */
async function challengeOf(
  { book, authUrl }: InteropWorld,
  library: Pick<McpLibrary<unknown, unknown, unknown>, "readChallenge">,
  serverUrl: string,
): Promise<Pick<McpChallenge, "resourceMetadataUrl">> {
  const isMcp = serverUrl.endsWith("/mcp");
  const method = isMcp ? "POST" : "GET";
  const response = await book.fetch(serverUrl, { method });
  const body = await response.text();
  if (isMcp && response.status === 404) return {};
  assertEquals([response.status, body], [401, ""]);
  const { resourceMetadataUrl, scope } = library.readChallenge(response);
  const wanted = `${authUrl}${RESOURCE_DOCUMENT}${isMcp ? "/mcp" : ""}`;
  assertEquals([resourceMetadataUrl?.href, scope], [wanted, WORKING_SET]);
  assert(resourceMetadataUrl !== undefined);
  return { resourceMetadataUrl };
}

async function statusOf(
  { book, authUrl }: InteropWorld,
  token: string,
): Promise<number> {
  const response = await book.fetch(`${authUrl}/v1/agent/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await response.body?.cancel();
  return response.status;
}
