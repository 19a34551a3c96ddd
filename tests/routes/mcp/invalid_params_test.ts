import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { withInvalidParams } from "../../../routes/mcp/invalid_params.ts";
import type { Params } from "../../support/mcp_calls.ts";
import { openPublicMcp } from "../../support/public_mcp.ts";

/** A request whose params are wrong, and the member that is. */
const MALFORMED: readonly [method: string, params: Params, named: string][] = [
  ["prompts/get", { name: "x", arguments: { day: 1 } }, "arguments.day"],
  ["prompts/get", { arguments: {} }, "name"],
  ["prompts/get", { name: {}, arguments: 5 }, "name"],
  ["resources/read", {}, "uri"],
  ["resources/read", { uri: 5 }, "uri"],
  ["resources/list", { cursor: 5 }, "cursor"],
  ["resources/templates/list", { cursor: {} }, "cursor"],
  ["prompts/list", { cursor: [] }, "cursor"],
  ["tools/list", { cursor: 1.5 }, "cursor"],
  ["initialize", { protocolVersion: 5 }, "protocolVersion"],
];

for (const [old, era] of [[true, "2025"], [false, "2026"]] as const) {
  Deno.test(`params of another shape are the client's in the revisions of ${era}, no fault of ours`, async () => {
    await using site = await openPublicMcp();
    for (const [method, params, named] of MALFORMED) {
      const response = await site.rpc(method, params, { old });
      const text = await response.text();
      const { error, id } = JSON.parse(text);
      const what = `${method} ${JSON.stringify(params)}: ${text}`;
      if (response.status !== 200) {
        // What the modern ladder finds before it looks at params.
        assert(!old && response.status < 500, what);
        continue;
      }
      assertEquals([error?.code, typeof id], [-32602, "number"], what);
      assertMatch(error.message, /^Invalid params: [^[\]{}\n]+$/, what);
      assert(error.message.includes(named), what);
    }
    assertEquals(site.log.events.includes("fault"), false);
  });
}

Deno.test("whatever params are sent, no answer is an internal error", async () => {
  await using site = await openPublicMcp();
  const params = fc.dictionary(
    fc.constantFrom("name", "arguments", "uri", "cursor", "protocolVersion"),
    fc.jsonValue({ maxDepth: 2 }),
  ) as fc.Arbitrary<Params>;
  const method = fc.constantFrom(...MALFORMED.map(([each]) => each));
  await fc.assert(
    fc.asyncProperty(method, params, fc.boolean(), async (named, sent, old) => {
      // Names that a header can't hold are not what this is about.
      for (const each of ["name", "uri"]) {
        const value = sent[each];
        if (typeof value === "string" && !/^[!-~]+$/.test(value)) return;
      }
      const response = await site.rpc(named, sent, { old });
      const text = await response.text();
      assert(!text.includes("-32603"), text);
    }),
    { numRuns: 200 },
  );
});

Deno.test("long names of members are cut, and what is no list of issues is left alone", async () => {
  const error = (message: string) =>
    withInvalidParams(Response.json({
      jsonrpc: "2.0",
      id: 7,
      error: { code: -32603, message },
    }));
  const path = ["params", "x".repeat(15_000)];
  const long = await error(JSON.stringify([{ path, message: "wrong" }]));
  const { error: { code, message } } = await long.json();
  assertEquals(code, -32602);
  assert(message.length < 200, message);
  const issue = { path: ["params"], message: "wrong" };
  const list = JSON.stringify(Array(1_000).fill(issue), null, 2);
  assertEquals((await (await error(list)).json()).error, {
    code: -32602,
    message: "Invalid params: too many have another shape",
  });
  for (
    const kept of [
      "x".repeat(60_000),
      "Internal error.",
      "[]",
      "5",
      '[{"path":1}]',
    ]
  ) {
    const { error: left } = await (await error(kept)).json();
    assertEquals(left, { code: -32603, message: kept });
  }
  const stream = new Response("data: -32603\n\n", {
    headers: { "content-type": "text/event-stream" },
  });
  assertEquals(await withInvalidParams(stream), stream);
});
