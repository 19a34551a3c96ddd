/** The tools that anybody may call, answered directly and by the library. */
import { assertEquals } from "@std/assert";
import { docsServer } from "../../../routes/docs_mcp/docs_server.ts";
import { mcpEndpoint, type McpServing } from "../../../routes/mcp/endpoint.ts";
import { mcpServing } from "../../../routes/mcp/server.ts";
import type { RequestTrace } from "../../../routes/context.ts";
import { publicServer } from "../../../routes/site/mcp/public_server.ts";
import { PUBLIC_ANSWERS } from "../../../routes/errors/public_answers.ts";
import { bodyOf } from "../../support/bindings.ts";
import { indexOf } from "../../support/ask_site.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import { META, modernHeaders, type Params } from "../../support/mcp_calls.ts";
import { DOCS, docsIndex } from "../../support/mcp_site.ts";
import { openPublicMcp } from "../../support/public_mcp.ts";
import { removed, settledDays } from "../../support/public_spotlights.ts";
import { TEST_SETTINGS } from "../../support/site_app.ts";

type Call = [name: string, given: Params];

const PROBLEMS = { settings: TEST_SETTINGS, answers: PUBLIC_ANSWERS };

/** Makes calls both ways and compares every byte and the log. */
async function compareAll(
  serving: McpServing<{ trace: RequestTrace }>,
  calls: readonly Call[],
): Promise<void> {
  const { signal: stopping } = new AbortController();
  const reach = { hosts: ["localhost"], origins: "any", stopping } as const;
  const log = new MemoryLog();
  const ways = [{ build: serving.build }, serving].map((way) =>
    mcpEndpoint(way, { ...reach, log })
  );
  const asked = calls.flatMap(([name, given]) =>
    [requestOf, requestOf2025].map((made) => () => made(name, given))
  );
  for (const made of asked) {
    const answers = await Promise.all(ways.map(async (endpoint) => {
      const trace: RequestTrace = { requestId: "r", route: "", grantId: null };
      const request = made();
      const source = bodyOf(request);
      const ask = { caller: { trace }, requestId: "r", source };
      const answer = await endpoint(request, ask);
      const headers = [...answer.headers].toSorted();
      return [trace.route, answer.status, headers, await answer.text()];
    }));
    assertEquals(answers[1], answers[0]);
  }
}

function requestOf(name: string, given: Params): Request {
  const params = { name, arguments: given, _meta: META };
  const headers = modernHeaders("tools/call", params) as Record<string, string>;
  return requestWith(params, headers);
}

function requestOf2025(name: string, given: Params): Request {
  return requestWith({ name, arguments: given }, {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-06-18",
  });
}

function requestWith(
  params: Params,
  headers: Readonly<Record<string, string>>,
): Request {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      host: "localhost",
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify(call),
  });
}

for (const isReady of [true, false]) {
  Deno.test(`the documentation's tools answer the same directly, ${isReady ? "with an index" : "without an index"}`, async () => {
    const retrieval = { index: docsIndex(isReady), documents: DOCS };
    const log = new MemoryLog();
    const docs = docsServer(retrieval, TEST_SETTINGS);
    await compareAll(mcpServing(docs, { ...PROBLEMS, log }), [
      ["read_docs_page", { path: "/auth.md" }],
      ["read_docs_page", { path: "/auth.md", query: "bids" }],
      ["read_docs_page", { path: "/terms.md" }],
      ["search_docs", { query: "bids" }],
      ["search_docs", { query: "bids", limit: 1 }],
      ["search_docs", { query: "b" }],
    ]);
  });
}

Deno.test("the public tools answer the same directly", async () => {
  const [first, second, ...others] = settledDays(4);
  if (first === undefined || second === undefined) throw new Error("no days");
  const days = [removed(first), second, ...others];
  await using site = await openPublicMcp(days);
  const { test: { store, clock, ids }, records, log } = site;
  const { baseUrl } = TEST_SETTINGS;
  const index = indexOf(days);
  const retrieval = { index, store, records, documents: {}, baseUrl };
  const services = { store, clock, ids, log, settings: TEST_SETTINGS };
  const server = publicServer({ records, retrieval, baseUrl, services });
  await compareAll(mcpServing(server, { ...PROBLEMS, log }), [
    ["get_current_spotlight", {}],
    ["get_current_spotlight", { includeHouseAds: false }],
    ["get_spotlight", { day: second.day }],
    ["get_spotlight", { day: first.day }],
    ["get_spotlight", { day: "2026-02-30" }],
    ["list_spotlights", { limit: 2 }],
    ["list_spotlights", { cursor: second.day, offset: 1 }],
    ["get_spotlights_batch", { days: [second.day, first.day] }],
    ["ask", { query: "headline" }],
    ["ask", { query: " " }],
    ["get_sandbox_spotlight", {}],
    ["rehearse", { rehearsal: "rehearsal-1", tool: "get_account" }],
    ["rehearse", { rehearsal: "rehearsal-1", tool: "get_auction" }],
  ]);
});
