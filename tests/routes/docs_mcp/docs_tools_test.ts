import {
  assert,
  assertEquals,
  assertStrictEquals,
  assertStringIncludes,
} from "@std/assert";
import {
  DOCS_PATHS,
  SEARCHED_PATHS,
} from "../../../domain/retrieval/docs_pages.ts";
import { docsTools } from "../../../routes/docs_mcp/docs_tools.ts";
import { modern } from "../../support/mcp_calls.ts";
import { DOCS, docsIndex, openDocsSite } from "../../support/mcp_site.ts";

const BUCKET = '"agent";q=120;svc-refill=2';

/** Calls a tool and answers its result. */
async function call(url: string, name: string, given: Record<string, unknown>) {
  const { body } = await modern(url, "tools/call", { name, arguments: given });
  return body.result;
}

Deno.test("the documentation server has exactly its two tools", async () => {
  await using site = await openDocsSite();
  const { body } = await modern(site.url, "tools/list");
  const reads = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  };
  const told = body.result.tools.map((
    { name, annotations }: Record<string, unknown>,
  ) => [name, annotations]);
  assertEquals(told, [["read_docs_page", reads], ["search_docs", reads]]);
});

Deno.test("the tools say which of the documents that are searched they do not read, and what to do then", async () => {
  await using site = await openDocsSite();
  const { body } = await modern(site.url, "tools/list");
  const [, search] = body.result.tools.map((
    { description }: { description: string },
  ) => description);
  const others = SEARCHED_PATHS.filter((path) =>
    !DOCS_PATHS.some((read) => read === path)
  );
  for (const path of others) assertStringIncludes(search, path.slice(1));
  assertStringIncludes(search, "open the url of such a passage");
});

Deno.test("the inputs are those of the contract and no other", async () => {
  await using site = await openDocsSite();
  const { body } = await modern(site.url, "tools/list");
  const [read, search] = body.result.tools.map((
    { inputSchema }: { inputSchema: Record<string, unknown> },
  ) => inputSchema);
  assertEquals(read.additionalProperties, false);
  assertEquals(read.required, ["path"]);
  assertEquals(read.properties.path.enum, [...DOCS_PATHS]);
  const { minLength, maxLength } = read.properties.query;
  assertEquals([minLength, maxLength], [2, 200]);
  assertEquals(search.additionalProperties, false);
  assertEquals(search.required, ["query"]);
  const { minimum, maximum, default: otherwise } = search.properties.limit;
  assertEquals([minimum, maximum, otherwise], [1, 10, 5]);
});

Deno.test("read_docs_page reads each of the five pages", async () => {
  await using site = await openDocsSite();
  for (const path of DOCS_PATHS) {
    const result = await call(site.url, "read_docs_page", { path });
    assertEquals(result.structuredContent, { text: DOCS[path] });
    assertEquals(result.content, [
      { type: "text", text: JSON.stringify({ text: DOCS[path] }) },
    ]);
  }
});

Deno.test("read_docs_page answers a whole page by one object that never changes", async () => {
  const [tool] = docsTools({ index: docsIndex(), documents: DOCS });
  const { signal } = new AbortController();
  const trace = { requestId: "req_1", route: "", grantId: null };
  const told = { caller: { trace }, requestId: "req_1", signal };
  const read = (path: string) => tool?.handle({ path }, told);
  const page = await read("/auth.md");
  assertStrictEquals(await read("/auth.md"), page);
  assert(Object.isFrozen(page));
  assertEquals(await read("/privacy.md"), { text: DOCS["/privacy.md"] });
});

Deno.test("read_docs_page with a query answers what fits it best", async () => {
  await using site = await openDocsSite();
  const wanted = { path: "/auth.md", query: "bids" };
  const result = await call(site.url, "read_docs_page", wanted);
  const text = "# Page /auth.md\n\n## Bids\n\nOf /auth.md.\n";
  assertEquals(result.structuredContent, { text });
});

Deno.test("search_docs answers 5 passages unless told otherwise, best first", async () => {
  await using site = await openDocsSite();
  const one = await call(site.url, "search_docs", { query: "bids", limit: 1 });
  assertEquals(one.structuredContent.passages, [{
    id: "affiliate.md#bids",
    url: "http://localhost/affiliate#bids",
    heading: "Bids",
    text: "Of /affiliate.md.",
    score: 1,
  }]);
  const { structuredContent } = await call(site.url, "search_docs", {
    query: "bids",
  });
  assertEquals(structuredContent.passages.length, 5);
});

const BAD: [string, Record<string, unknown>][] = [
  ["read_docs_page", {}],
  ["read_docs_page", { path: "/terms.md" }],
  ["read_docs_page", { path: "auth.md" }],
  ["read_docs_page", { path: "/auth.md", query: "a" }],
  ["read_docs_page", { path: "/auth.md", query: "é".repeat(201) }],
  ["read_docs_page", { path: "/auth.md", other: 1 }],
  ["read_docs_page", { path: "/auth.md", query: null }],
  ["search_docs", {}],
  ["search_docs", { query: "a" }],
  ["search_docs", { query: "😀" }],
  ["search_docs", { query: "bids", limit: 0 }],
  ["search_docs", { query: "bids", limit: 11 }],
  ["search_docs", { query: "bids", limit: 1.5 }],
  ["search_docs", { query: "bids", limit: "5" }],
  ["search_docs", { query: "bids", page: 2 }],
];
for (const [name, given] of BAD) {
  const shown = JSON.stringify(given).slice(0, 60);
  Deno.test(`${name} refuses ${shown} and says why`, async () => {
    await using site = await openDocsSite();
    const result = await call(site.url, name, given);
    assertEquals(result.isError, true);
    const [{ text }] = result.content;
    assertEquals(text.startsWith("Input validation error: "), true, text);
  });
}

Deno.test("a query has 2 to 200 characters, however long each is", async () => {
  await using site = await openDocsSite();
  for (const query of ["ab", "😀😀", "😀".repeat(200)]) {
    const result = await call(site.url, "search_docs", { query });
    assertEquals(result.isError, undefined, query);
  }
  const result = await call(site.url, "search_docs", {
    query: "😀".repeat(201),
  });
  assertEquals(result.isError, true);
});

Deno.test("a search before the index is there is a problem that says when to retry", async () => {
  await using site = await openDocsSite(docsIndex(false));
  const result = await call(site.url, "search_docs", { query: "bids" });
  const { type, title, status } = result.structuredContent;
  assertEquals([result.isError, status], [true, 503]);
  assertEquals(type, "http://localhost/problems/temporarily-unavailable");
  assertEquals(typeof title, "string");
  assertEquals(JSON.parse(result.content[0].text), result.structuredContent);
  // Waiting for the index is nothing anybody has to look into.
  assertEquals(site.log.lines, []);
});

Deno.test("a page reads without an index", async () => {
  await using site = await openDocsSite(docsIndex(false));
  const result = await call(site.url, "read_docs_page", { path: "/auth.md" });
  assertEquals(result.structuredContent.text, DOCS["/auth.md"]);
});

Deno.test("the five pages are the resources, and nothing else", async () => {
  await using site = await openDocsSite();
  const { body } = await modern(site.url, "resources/list");
  const { resources, ttlMs, cacheScope } = body.result;
  assertEquals([ttlMs, cacheScope], [3_600_000, "public"]);
  const uris = resources.map(({ uri }: { uri: string }) => uri);
  assertEquals(uris, DOCS_PATHS.map((path) => `http://localhost${path}`));
  for (const { uri, title, description, mimeType } of resources) {
    assertEquals(mimeType, "text/markdown");
    assertEquals([title, typeof description], [
      `Page ${new URL(uri).pathname}`,
      "string",
    ]);
    const read = await modern(site.url, "resources/read", { uri });
    const { pathname } = new URL(uri);
    assertEquals(read.body.result.contents, [
      { uri, mimeType, text: DOCS[pathname] },
    ]);
  }
});

Deno.test("another resource is not found", async () => {
  await using site = await openDocsSite();
  const uri = "http://localhost/terms.md";
  const { status, body } = await modern(site.url, "resources/read", { uri });
  assertEquals([status, body.error.code], [200, -32602]);
});

Deno.test("every request costs a token of the public bucket, whatever becomes of it", async () => {
  await using site = await openDocsSite();
  const left = async (answer: Promise<{ headers: Headers }>) => {
    const { headers } = await answer;
    assertEquals(headers.get("ratelimit-policy"), BUCKET);
    return headers.get("ratelimit");
  };
  const { url } = site;
  assertEquals(await left(modern(url, "tools/list")), '"agent";r=119');
  assertEquals(await left(modern(url, "nonsense")), '"agent";r=118');
  const refused = modern(url, "tools/list", {}, {
    origin: "https://evil.example",
  });
  assertEquals(await left(refused), '"agent";r=117');
  const got = await fetch(url);
  await got.body?.cancel();
  assertEquals(got.headers.get("ratelimit"), '"agent";r=116');
  const below = await fetch(`${url}/nothing`);
  assertEquals([below.status, below.headers.get("ratelimit")], [
    404,
    '"agent";r=115',
  ]);
  await below.body?.cancel();
});

Deno.test("an empty bucket is 429 with a public problem, before anything is read", async () => {
  await using site = await openDocsSite();
  for (let count = 0; count < 120; count++) {
    await modern(site.url, "tools/list");
  }
  const { status, headers, body } = await modern(site.url, "nonsense");
  assertEquals([status, body.status], [429, 429]);
  assertEquals(headers.get("retry-after"), "1");
  assertEquals(headers.get("content-type"), "application/problem+json");
});
