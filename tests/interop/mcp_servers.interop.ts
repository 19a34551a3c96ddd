/**
 * The conformance suite against the three servers of a running service: all
 * that it asks of 2026-07-28 but what is written down beside this file, and
 * what it asks of the revisions of 2025.
 */
import { assert, assertEquals } from "@std/assert";
import { openRelayTo, type ServerName, SERVERS } from "./support/mcp_three.ts";
import { runServerConformance } from "./support/server_conformance.ts";
import { inWorld } from "./support/world.ts";

const EXPECTED = new URL("./mcp_expected/", import.meta.url).pathname;

/** What passes with nothing expected to fail, at revisions of 2025. */
const LEGACY: readonly [scenario: string, revision: string][] = [
  ["server-initialize", "2025-06-18"],
  ["ping", "2025-06-18"],
  ["tools-list", "2025-06-18"],
  ["resources-list", "2025-06-18"],
];

/** The documentation server speaks no 2025-11-25. */
const LEGACY_2025_11: typeof LEGACY = [
  ["server-initialize", "2025-11-25"],
  ["tools-list", "2025-11-25"],
  ["prompts-list", "2025-11-25"],
  ["dns-rebinding-protection", "2025-11-25"],
];

for (const name of SERVERS) {
  Deno.test(`the ${name} server meets what applies to it of 2026-07-28, and no expected failure is stale`, async () => {
    await inWorld(async (world) => {
      await using relay = await openRelayTo(world, name);
      const { code, output } = await runServerConformance(relay.url, {
        requirements: "2026-07-28",
        "expected-failures": `${EXPECTED}${name}.yaml`,
      });
      assertEquals(code, 0, output);
    });
  });

  Deno.test(`the ${name} server meets what applies to it of 2025`, async () => {
    await inWorld(async (world) => {
      await using relay = await openRelayTo(world, name);
      for (const [scenario, revision] of legacyOf(name)) {
        const { code, output } = await runServerConformance(relay.url, {
          scenario,
          "spec-version": revision,
        });
        assertEquals(code, 0, output);
        // One that is skipped would end in 0 as well.
        assert(/Passed: [1-9]\d*\/\d+, 0 failed/.test(output), output);
      }
    });
  });

  Deno.test(`every expected failure of the ${name} server has a reason`, async () => {
    const text = await Deno.readTextFile(`${EXPECTED}${name}.yaml`);
    const lines = text.split("\n").filter((line) => line.startsWith("  - "));
    assert(lines.length > 0);
    const bare = lines.filter((line) => !/^ {2}- \S+ # \S.{9,}$/.test(line));
    assertEquals(bare, []);
  });
}

function legacyOf(name: ServerName): typeof LEGACY {
  return name === "documentation" ? LEGACY : [...LEGACY, ...LEGACY_2025_11];
}
