/** How clients of MCP servers connect, by their own SDK. */
import { auth } from "@modelcontextprotocol/sdk/client/auth.js";
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import { assert, assertEquals } from "@std/assert";
import { approveAuthorization } from "../../../../domain/oauth/authorize/approve_authorization.ts";
import { saveSession } from "../../../support/sessions.ts";
import { seen } from "../../../support/captured_logs.ts";
import { readyAccount } from "../../../support/bidding_world.ts";
import { saveAccount } from "../../../support/oauth_world.ts";
import {
  type RunningService,
  runService,
} from "../../../support/running_service.ts";
import { WORKING_SET } from "../../../support/working_set.ts";

const REDIRECT = "http://127.0.0.1:51005/cb";

Deno.test("the MCP SDK registers, connects and refreshes with what discovery tells", async () => {
  await using running = await runService();
  const { authUrl } = running.config.settings;
  await saveAccount(running.service.core.services, readyAccount("ada"));
  const provider = new MemoryProvider();
  const serverUrl = `${authUrl}/mcp`;
  assertEquals(await auth(provider, { serverUrl }), "REDIRECT");
  const address = provider.sentTo;
  assert(address !== null);
  assert(address.href.startsWith(`${authUrl}/oauth/authorize?`));
  assertEquals(address.searchParams.get("resource"), serverUrl);
  assertEquals(address.searchParams.get("scope"), WORKING_SET);
  const back = await approve(running, address);
  const result = await auth(provider, {
    serverUrl,
    authorizationCode: back.searchParams.get("code") ?? "",
  });
  assertEquals(result, "AUTHORIZED");
  const first = provider.saved?.access_token;
  assertEquals(await auth(provider, { serverUrl }), "AUTHORIZED");
  assert(provider.saved && provider.saved.access_token !== first);
});

async function approve(
  { service }: RunningService,
  address: URL,
): Promise<URL> {
  const answer = await seen.fetch(address, { redirect: "manual" });
  const requestId = answer.headers.get("location")?.split("/").at(-1) ?? "";
  const { redirectTo } = await approveAuthorization(service.core.services, {
    requestId,
    sessionHash: "session",
    session: await saveSession(service.core.services),
    scopes: ["account:read"],
    mandate: null,
  });
  return new URL(redirectTo);
}

/** What an MCP client remembers. */
class MemoryProvider {
  sentTo: URL | null = null;
  saved: OAuthTokens | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #verifier = "";

  readonly redirectUrl = REDIRECT;
  readonly clientMetadata: OAuthClientMetadata = {
    client_name: "MCP client",
    redirect_uris: [REDIRECT],
  };

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.#client;
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#client = client;
  }

  tokens(): OAuthTokens | undefined {
    return this.saved;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.saved = tokens;
  }

  redirectToAuthorization(address: URL): void {
    this.sentTo = address;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }
}
