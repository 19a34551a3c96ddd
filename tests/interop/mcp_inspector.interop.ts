/**
 * The MCP project's inspector, as a person uses it on the command line, against
 * the three servers of a running service.
 */
import { assert, assertEquals } from "@std/assert";
import { type NpmTool, runNpmTool } from "./support/npm_tool.ts";
import { openRelayTo, type ServerName, SERVERS } from "./support/mcp_three.ts";
import { inWorld } from "./support/world.ts";

const INSPECTOR: NpmTool = {
  specifier: "npm:@modelcontextprotocol/inspector@2.12.0",
  lock: "inspector.lock",
  folderVariable: "MCP_STORAGE_DIR",
};

/** A call that each server answers. */
const CALLS: Readonly<Record<ServerName, readonly string[]>> = {
  documentation: ["search_docs", "--tool-arg", "query=bids"],
  public: ["get_current_spotlight"],
  advertiser: ["get_account"],
};

/** Runs it against a server and answers what it printed as JSON. */
async function inspect(url: string, ...args: string[]) {
  const given = ["--cli", url, "--transport", "http", "--method", ...args];
  const { code, stdout, stderr } = await runNpmTool(INSPECTOR, given);
  // With --strict a schema that some clients can't read is code 6.
  assertEquals(code, 0, stdout + stderr);
  return JSON.parse(stdout);
}

for (const name of SERVERS) {
  Deno.test(`the inspector finds no fault with the ${name} server's tools, and calls one`, async () => {
    await inWorld(async (world) => {
      await using relay = await openRelayTo(world, name);
      const { tools } = await inspect(relay.url, "tools/list", "--strict");
      assert(tools.length > 0);
      const [tool = "", ...args] = CALLS[name];
      const result = await inspect(
        relay.url,
        "tools/call",
        "--tool-name",
        tool,
        ...args,
      );
      const { isError = false, structuredContent } = result;
      assertEquals([isError, typeof structuredContent], [false, "object"]);
    });
  });
}
