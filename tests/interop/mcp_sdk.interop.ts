/** The authorization of @modelcontextprotocol/sdk, version 1. */
import {
  auth,
  extractWWWAuthenticateParams,
  type OAuthDiscoveryState,
} from "@modelcontextprotocol/sdk/client/auth.js";
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import { MCP_CASES, type McpLibrary, runMcpCase } from "./support/mcp_flow.ts";
import { inWorld } from "./support/world.ts";

const library: McpLibrary<
  OAuthClientInformationMixed,
  OAuthTokens,
  OAuthDiscoveryState
> = {
  auth: (memory, { iss: _, ...options }) => auth(memory, options),
  readChallenge: extractWWWAuthenticateParams,
};

for (const each of MCP_CASES) {
  const { introduction, resource } = each;
  Deno.test(`the MCP SDK ${introduction} and gets tokens for ${resource}`, async () => {
    await inWorld((world) => runMcpCase(world, library, each));
  });
}
