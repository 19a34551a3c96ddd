/** The authorization of @modelcontextprotocol/client, version 2. */
import {
  auth,
  extractWWWAuthenticateParams,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { MCP_CASES, type McpLibrary, runMcpCase } from "./support/mcp_flow.ts";
import { inWorld } from "./support/world.ts";

const library: McpLibrary<
  StoredOAuthClientInformation,
  StoredOAuthTokens,
  OAuthDiscoveryState
> = { auth, readChallenge: extractWWWAuthenticateParams };

for (const each of MCP_CASES) {
  const { introduction, resource } = each;
  Deno.test(`the MCP client ${introduction} and gets tokens for ${resource}`, async () => {
    await inWorld((world) => runMcpCase(world, library, each));
  });
}
