/** The conformance tests that the MCP project has for authorization servers. */
import { assertEquals } from "@std/assert";
import { freePort } from "../support/free_port.ts";
import { runConformance } from "./support/conformance.ts";
import { registerStrict } from "./support/strict_client.ts";
import { inWorld } from "./support/world.ts";

Deno.test("the MCP conformance tests find nothing wrong with the authorization server", async () => {
  await inWorld(async (world) => {
    const { authUrl, user } = world;
    const port = freePort();
    const redirectUri = `http://127.0.0.1:${port}/callback`;
    const { client } = await registerStrict(world, "Conformance", redirectUri);
    const { code, output } = await runConformance({
      issuer: authUrl,
      clientId: client.client_id,
      resource: `${authUrl}/mcp`,
      port,
    }, (url) => user("ada").authorize(url));
    const summary = output.slice(output.indexOf("=== SUMMARY ==="));
    // deno-lint-ignore no-console -- what the tool found
    console.log(summary.trim());
    assertEquals(code, 0, output);
    // A scenario that was left out would not fail: every one has to pass.
    const results = [...summary.matchAll(/^([✓✗]) (\S+): (\d+) passed, 0 /gm)];
    assertEquals(results.map(([, mark, name]) => `${mark} ${name}`), [
      "✓ authorization-server-metadata-endpoint",
      "✓ authorization-code-grant",
    ]);
    assertEquals(summary.includes("Total: 3 passed, 0 failed"), true, output);
  });
});
