/**
 * All that the MCP project requires of a server of 2026-07-28, of a fixture
 * behind our endpoint.
 */
import { assertEquals } from "@std/assert";
import { openMcpFixture } from "./support/mcp_fixture.ts";
import { runServerConformance } from "./support/server_conformance.ts";

/** How many scenarios of the set are scored. */
const SCORED = 37;

Deno.test("a server behind our endpoint meets every requirement of 2026-07-28", async () => {
  await using site = await openMcpFixture();
  const requirements = "2026-07-28";
  const run = await runServerConformance(site.url, { requirements });
  const scored = run.scenarios.slice(0, SCORED);
  const failed = scored.filter(({ failed }) => failed > 0);
  assertEquals([run.code, failed], [0, []], run.output);
  assertEquals(scored.length, SCORED);
  // One that could not be run would count as nothing failed.
  const empty = scored.filter(({ passed }) => passed === 0);
  assertEquals(empty, []);
  const headers = run.scenarios.find(({ name }) =>
    name === "http-header-validation"
  );
  assertEquals(headers, {
    name: "http-header-validation",
    passed: 14,
    failed: 0,
  });
  const total = scored.reduce((sum, { passed }) => sum + passed, 0);
  // deno-lint-ignore no-console -- what the tool found
  console.log(`${scored.length} of ${SCORED} scenarios, ${total} checks`);
});
