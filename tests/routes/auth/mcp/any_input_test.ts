import { assert, assertEquals } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { openTwins } from "../../../support/twins.ts";
import { resultOf, rpc } from "../../../support/mcp_agent.ts";
import type { AgentApi } from "../../../support/agent_api.ts";
import { type Agent, BID_DAY } from "../../../support/bidding_world.ts";
import { MemoryLog } from "../../../support/captured_logs.ts";

interface Listed {
  name: string;
  inputSchema: { properties: Record<string, unknown> };
  outputSchema: Record<string, unknown>;
}

async function listed(api: AgentApi, as: Agent): Promise<Listed[]> {
  return (await resultOf(await rpc(api, "tools/list", {}, { as }))).tools;
}

function validators(tools: readonly Listed[]) {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  // deno-lint-ignore no-explicit-any -- the package's types are for CommonJS
  (addFormats as any)(ajv);
  return new Map(tools.map(({ name, inputSchema, outputSchema }) => [name, {
    input: ajv.compile(inputSchema),
    output: ajv.compile(outputSchema),
  }]));
}

Deno.test("schemas of tools are strict JSON Schema 2020-12 that old clients can read too", async () => {
  await using world = await openTwins();
  const tools = await listed(world.api, world.ada);
  assertEquals(validators(tools).size, tools.length);
  for (const { name, inputSchema, outputSchema } of tools) {
    const input = inputSchema as Record<string, unknown>;
    assertEquals(input["additionalProperties"], false, name);
    assertEquals([input["type"], outputSchema["type"]], ["object", "object"]);
  }
});

/** Values that some argument of some tool takes, and many that none takes. */
const values = fc.oneof(
  fc.constantFrom<unknown>(
    BID_DAY,
    "2026-02-30",
    "ad_ada",
    "pm_x",
    "pm_" + "x".repeat(250),
    "EUR",
    "key-1",
    "SPOT-0001",
    "a".repeat(4_000),
    "\u0000",
    "\ud800",
    "../../me",
    "pm_\n\r",
    1_000,
    0,
    -1,
    1e300,
    null,
    true,
    {},
    [],
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

Deno.test("no arguments make a tool fail: what it says fits its schema, and no fault is logged", async () => {
  await using world = await openTwins();
  const { api, ada } = world;
  const tools = await listed(api, ada);
  const checks = validators(tools);
  const anyCall = fc.constantFrom(...tools).chain((tool) =>
    fc.tuple(
      fc.constant(tool.name),
      fc.record(
        Object.fromEntries(
          Object.keys(tool.inputSchema.properties).map((name) => [
            name,
            values,
          ]),
        ),
        { requiredKeys: [] },
      ),
      fc.boolean(),
    )
  );
  await fc.assert(
    fc.asyncProperty(anyCall, async ([name, given, old]) => {
      api.world.clock.advance(1_000);
      const params = { name, arguments: given };
      const answer = await rpc(api, "tools/call", params, { as: ada, old });
      assertEquals(answer.status, 200);
      const { content, structuredContent } = await resultOf(answer);
      assert(content[0].text !== "Internal error.", name);
      const output = checks.get(name)?.output;
      assert(
        structuredContent === undefined || output?.(structuredContent),
        `${name} ${JSON.stringify(output?.errors)}`,
      );
    }),
    { numRuns: 300 },
  );
  const { log } = api.world.services;
  assert(log instanceof MemoryLog);
  assertEquals(log.events.filter((event) => event !== "auction.opened"), []);
});

Deno.test("arguments that are no object, and calls without a name, are errors of the protocol", async () => {
  await using world = await openTwins();
  const { api, ada } = world;
  for (const given of [[], "x", 1, null]) {
    for (const old of [false, true]) {
      const params = { name: "get_account", arguments: given };
      const answer = await rpc(api, "tools/call", params, { as: ada, old });
      const { error } = await answer.json();
      assert(error.code === -32602 || error.code === -32600, `${error.code}`);
      assert(answer.status < 500);
    }
  }
  const answer = await rpc(api, "tools/call", { arguments: {} }, { as: ada });
  assertEquals((await answer.json()).error !== undefined, true);
  assert(answer.status < 500);
});
