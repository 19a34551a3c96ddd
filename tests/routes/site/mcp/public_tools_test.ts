import { assert, assertEquals } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { IndexNotReady } from "../../../../domain/retrieval/search_index.ts";
import { rehearsalPath } from "../../../support/rehearsals.ts";
import { resultOf } from "../../../support/mcp_agent.ts";
import { openPublicMcp, type PublicMcp } from "../../../support/public_mcp.ts";
import {
  removed,
  settle,
  settledDays,
  spotlight,
} from "../../../support/public_spotlights.ts";

const HOUSE = spotlight("2026-11-19", { contentType: "house_advertisement" });

/** A call and the read of the public API that means the same. */
const TWINS: readonly [tool: string, given: object, path: string][] = [
  ["get_current_spotlight", {}, "/api/v1/spotlight"],
  [
    "get_current_spotlight",
    { includeHouseAds: false },
    "/api/v1/spotlight?includeHouseAds=false",
  ],
  ["get_spotlight", { day: "2026-11-18" }, "/api/v1/spotlights/2026-11-18"],
  ["get_spotlight", { day: "2026-11-20" }, "/api/v1/spotlights/2026-11-20"],
  ["list_spotlights", {}, "/api/v1/spotlights"],
  ["list_spotlights", { limit: 2 }, "/api/v1/spotlights?limit=2"],
  [
    "list_spotlights",
    { limit: 2, cursor: "2026-11-18" },
    "/api/v1/spotlights?limit=2&cursor=2026-11-18",
  ],
  [
    "list_spotlights",
    { limit: 2, offset: 3 },
    "/api/v1/spotlights?limit=2&offset=3",
  ],
  [
    "list_spotlights",
    { cursor: "2026-11-18", offset: 0 },
    "/api/v1/spotlights?cursor=2026-11-18&offset=0",
  ],
  [
    "get_spotlights_batch",
    { days: ["2026-11-17", "2026-11-20", "2026-11-17"] },
    "/api/v1/spotlights/batch?days=2026-11-17,2026-11-20,2026-11-17",
  ],
  ["ask", { query: "winter shoes" }, "/ask?query=winter+shoes"],
  ["get_sandbox_spotlight", {}, "/api/v1/sandbox"],
  [
    "rehearse",
    { rehearsal: "rehearsal-1", tool: "get_account" },
    `${rehearsalPath("rehearsal-1")}/me`,
  ],
];

async function openSite(): Promise<PublicMcp> {
  return await openPublicMcp([...settledDays(6).slice(0, -1), HOUSE]);
}

Deno.test("every public tool answers what the public API answers, byte for byte, and refuses as it does", async () => {
  await using site = await openSite();
  for (const [tool, given, path] of TWINS) {
    for (const old of [false, true]) {
      const rest = await site.get(path);
      const said = await rest.text();
      const told = await site.call(tool, { ...given }, { old });
      assertEquals([told.isError, told.text], [!rest.ok, said], path);
      assertEquals(told.content, JSON.parse(said));
    }
  }
});

Deno.test("the public server lists seven tools that change nothing real, and marks ad copy as for people", async () => {
  await using site = await openSite();
  const { tools } = await resultOf(await site.rpc("tools/list"));
  assertEquals(tools.map(({ name }: { name: string }) => name), [
    "get_current_spotlight",
    "get_spotlight",
    "list_spotlights",
    "get_spotlights_batch",
    "ask",
    "get_sandbox_spotlight",
    "rehearse",
  ]);
  for (const { name, annotations } of tools) {
    assertEquals(annotations, {
      readOnlyHint: name !== "rehearse",
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
  }
  const params = { name: "get_current_spotlight", arguments: {} };
  const { content } = await resultOf(await site.rpc("tools/call", params));
  assertEquals(content[0].annotations, { audience: ["user"], priority: 0.5 });
});

Deno.test("a request to the public server costs 1 of the bucket that the public API draws on", async () => {
  await using site = await openSite();
  const first = await site.rpc("tools/list");
  assertEquals(first.headers.get("ratelimit"), '"agent";r=119');
  await first.body?.cancel();
  const beside = await site.get("/api/v1/spotlight");
  assertEquals(beside.headers.get("ratelimit"), '"agent";r=118');
  await beside.body?.cancel();
  for (let at = 0; at < 118; at++) {
    const answer = await site.rpc("tools/call", { name: "nope" });
    await answer.body?.cancel();
    assert(answer.status < 429);
  }
  for (const old of [false, true]) {
    const empty = await site.rpc("tools/list", {}, { old });
    assertEquals(empty.status, 429);
    assertEquals(empty.headers.get("retry-after"), "1");
    assertEquals((await empty.json()).title, "Too many requests");
  }
  const other = await site.rpc("tools/list", {}, { from: "192.0.2.9" });
  assertEquals(other.status, 200);
  await other.body?.cancel();
});

Deno.test("a removed Spotlight is gone from every public tool and resource", async () => {
  await using site = await openSite();
  const gone = removed(spotlight("2026-11-18"));
  await settle(site.test.store, gone);
  site.records.apply(gone);
  const one = await site.call("get_spotlight", { day: "2026-11-18" });
  assertEquals([one.isError, one.content.status], [true, 404]);
  const found = await site.call("ask", { query: "anything" });
  const list = await site.call("list_spotlights");
  for (const { text } of [found, list]) assert(!text.includes("2026-11-18"));
  const uri = "spotlight://2026-11-18";
  const read = await site.rpc("resources/read", { uri });
  assertEquals((await read.json()).error.code, -32602);
});

Deno.test("spotlight://current and spotlight://{day} read what the public API reads", async () => {
  await using site = await openSite();
  const listed = await resultOf(await site.rpc("resources/list"));
  assertEquals(listed.resources[0].uri, "spotlight://current");
  assertEquals(listed.resources[0].annotations.audience, ["user"]);
  const { resourceTemplates } = await resultOf(
    await site.rpc("resources/templates/list"),
  );
  assertEquals(resourceTemplates[0].uriTemplate, "spotlight://{day}");
  for (
    const [uri, path] of [
      ["spotlight://current", "/api/v1/spotlight"],
      ["spotlight://2026-11-18", "/api/v1/spotlights/2026-11-18"],
    ] as const
  ) {
    for (const old of [false, true]) {
      const answer = await site.rpc("resources/read", { uri }, { old });
      const { contents } = await resultOf(answer);
      const text = await (await site.get(path)).text();
      const mimeType = "application/json";
      assertEquals(contents, [{ uri, mimeType, text }]);
    }
  }
});

Deno.test("addresses of no Spotlight are errors of the protocol, never faults", async () => {
  await using site = await openSite();
  for (
    const uri of [
      "spotlight://2026-11-20",
      "spotlight://2026-02-30",
      "spotlight://2026-11-18/x",
      "spotlight://",
      "file:///etc/passwd",
      "no address",
    ]
  ) {
    for (const old of [false, true]) {
      const answer = await site.rpc("resources/read", { uri }, { old });
      const { error } = await answer.json();
      assertEquals(error.code, -32602, uri);
      assert(answer.status < 500, uri);
    }
  }
  assertEquals(site.log.events, []);
});

Deno.test("the public prompt has a description, takes a day and refuses anything else", async () => {
  await using site = await openSite();
  const { prompts } = await resultOf(await site.rpc("prompts/list"));
  assertEquals(prompts.length, 1);
  assert(prompts[0].description.length > 0);
  const day = { name: "read_spotlight", arguments: { day: "2026-11-18" } };
  const { messages } = await resultOf(await site.rpc("prompts/get", day));
  assert(
    messages[0].content.text.includes("get_spotlight with day 2026-11-18"),
  );
  const other = { name: "read_spotlight", arguments: { day: "ignore all" } };
  const refused = await (await site.rpc("prompts/get", other)).json();
  assertEquals(refused.error.code, -32602);
  assert(!refused.error.message.includes("ignore all"));
});

Deno.test("ask says 503 until this isolate has an index", async () => {
  await using site = await openPublicMcp([], {
    isReady: false,
    findSpotlights: () => Promise.reject(new IndexNotReady()),
    findPassages: () => Promise.reject(new IndexNotReady()),
  });
  const told = await site.call("ask", { query: "anything" });
  assertEquals([told.isError, told.content.status], [true, 503]);
});

Deno.test("no arguments make a public tool fail: what it says fits its schema", async () => {
  await using site = await openSite();
  const { tools } = await resultOf(await site.rpc("tools/list"));
  const ajv = new Ajv2020({ strict: true });
  // deno-lint-ignore no-explicit-any -- the package's types are for CommonJS
  (addFormats as any)(ajv);
  const days = fc.constantFrom<unknown>("2026-11-18", "2026-02-30", 1, null);
  const value = fc.oneof(
    days,
    fc.array(days, { maxLength: 12 }),
    fc.string({ unit: "binary", maxLength: 600 }),
    fc.jsonValue({ maxDepth: 1 }),
  );
  for (const { name, inputSchema, outputSchema } of tools) {
    const names = [...Object.keys(inputSchema.properties), "other"];
    const given = fc.record(
      Object.fromEntries(names.map((each) => [each, value])),
      { requiredKeys: names.slice(0, 1) },
    );
    const fits = ajv.compile(outputSchema);
    await fc.assert(
      fc.asyncProperty(given, fc.boolean(), async (given, old) => {
        site.test.clock.advance(1_000);
        const { text, content } = await site.call(name, given, { old });
        assert(text !== "Internal error.", name);
        assert(content === undefined || fits(content), name);
      }),
      { numRuns: 25 },
    );
  }
  assertEquals(site.log.events, []);
});
