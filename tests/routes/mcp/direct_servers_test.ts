/** The tools that anybody may call, answered directly and by the library. */
import { assertEquals } from "@std/assert";
import { docsServer } from "../../../routes/docs_mcp/docs_server.ts";
import { mcpEndpoint, type McpServing } from "../../../routes/mcp/endpoint.ts";
import {
  type AnyCaller,
  mcpServing,
  type ServerDefinition,
} from "../../../routes/mcp/server.ts";
import type { RequestTrace } from "../../../routes/context.ts";
import { publicServer } from "../../../routes/site/mcp/public_server.ts";
import { PUBLIC_ANSWERS } from "../../../routes/errors/public_answers.ts";
import { bodyOf } from "../../support/bindings.ts";
import { indexOf } from "../../support/ask_site.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import {
  META,
  MODERN,
  modernHeaders,
  type Params,
} from "../../support/mcp_calls.ts";
import { DOCS, docsIndex } from "../../support/mcp_site.ts";
import { openPublicMcp } from "../../support/public_mcp.ts";
import { removed, settledDays } from "../../support/public_spotlights.ts";
import { TEST_SETTINGS } from "../../support/site_app.ts";

type Call = [name: string, given: Params];

/** What servers list; not all of them have prompts. */
const LISTS = [
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
];

const PROBLEMS = { settings: TEST_SETTINGS, answers: PUBLIC_ANSWERS };

/** Asks both ways, and compares every byte and the log. */
function twinsOf(serving: McpServing<AnyCaller>) {
  const { signal: stopping } = new AbortController();
  const reach = { hosts: ["localhost"], origins: "any", stopping } as const;
  const log = new MemoryLog();
  const ways = [{ build: serving.build }, serving].map((way) =>
    mcpEndpoint(way, { ...reach, log })
  );
  return async function compare(made: () => Request): Promise<void> {
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
  };
}

/** Makes calls both ways. */
async function compareAll(
  definition: ServerDefinition<AnyCaller>,
  calls: readonly Call[],
): Promise<void> {
  const serving = mcpServing(definition, { ...PROBLEMS, log: new MemoryLog() });
  const compare = twinsOf(serving);
  for (const [name, given] of calls) {
    const params = { name, arguments: given };
    for (const made of [requestOf, requestOf2025]) {
      await compare(() => made("tools/call", params));
    }
  }
  await compareLists(serving, definition);
}

/** Asks for each list again and again, which builds a server for the first alone. */
async function compareLists(
  serving: McpServing<AnyCaller>,
  { versions, prompt }: ServerDefinition<AnyCaller>,
): Promise<void> {
  const built: (string | null)[] = [];
  const counting: typeof serving = {
    ...serving,
    build(served) {
      built.push(served.method);
      return serving.build(served);
    },
  };
  const ways = [...versions.modern, ...versions.legacy].map((version) =>
    version === MODERN
      ? requestOf
      : (method: string, given: Params, id: Id) =>
        requestOf2025(method, given, id, version)
  );
  const compare = twinsOf(counting);
  for (const method of LISTS) {
    for (const made of ways) {
      built.length = 0;
      for (const id of [1, 2, "é"]) await compare(() => made(method, {}, id));
      // Both build it for the first, and one for those that follow.
      const isThere = method !== "prompts/list" || prompt !== undefined;
      assertEquals(built.length, isThere ? 4 : 6, method);
    }
  }
}

type Id = string | number;

function requestOf(method: string, given: Params, id: Id = 1): Request {
  const params = { ...given, _meta: META };
  const headers = modernHeaders(method, given) as Record<string, string>;
  return requestWith({ id, method, params }, headers);
}

function requestOf2025(
  method: string,
  params: Params,
  id: Id = 1,
  version = "2025-06-18",
): Request {
  return requestWith({ id, method, params }, {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": version,
  });
}

function requestWith(
  message: Params,
  headers: Readonly<Record<string, string>>,
): Request {
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      host: "localhost",
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  });
}

for (const isReady of [true, false]) {
  Deno.test(`the documentation's tools answer the same directly, ${isReady ? "with an index" : "without an index"}`, async () => {
    const retrieval = { index: docsIndex(isReady), documents: DOCS };
    await compareAll(docsServer(retrieval, TEST_SETTINGS), [
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
  await compareAll(server, [
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
