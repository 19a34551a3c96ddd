import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { SCOPES } from "../../../../domain/oauth/grant.ts";
import { runService } from "../../../support/running_service.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9," +
  "*/*;q=0.8";
const HTML = "text/html; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";

/** The published documents, by the path of their page. */
const PAGES = [
  "/developers",
  "/auth",
  "/versioning",
  "/privacy",
  "/affiliate",
  "/hosts",
  "/terms",
];

Deno.test("the documents that metadata names are served", async () => {
  await using running = await runService();
  const { baseUrl, authUrl } = running.config.settings;
  const metadata = await (
    await fetch(`${authUrl}/.well-known/oauth-authorization-server`)
  ).json();
  for (
    const name of ["service_documentation", "op_policy_uri", "op_tos_uri"]
  ) {
    const address = metadata[name];
    assert(address.startsWith(baseUrl));
    const answer = await fetch(address);
    const text = await answer.text();
    assertEquals(answer.status, 200, address);
    assert(!/\{(base|auth)_url\}/.test(text), address);
  }
});

Deno.test("each document is Markdown at its path and a page for browsers", async () => {
  await using running = await runService();
  const { baseUrl } = running.config.settings;
  const asks: readonly [string, string | null, string][] = [
    [".md", null, MARKDOWN],
    [".md", "*/*", MARKDOWN],
    [".md", BROWSER, HTML],
    ["", null, HTML],
    ["", "*/*", HTML],
    ["", BROWSER, HTML],
    ["", "text/markdown", MARKDOWN],
    ["", "text/markdown, text/html;q=0.8, */*;q=0.1", MARKDOWN],
    ["", "text/markdown, */*", MARKDOWN],
    ["", "text/markdown, text/html, */*", MARKDOWN],
  ];
  for (const page of PAGES) {
    const texts = new Map<string, Set<string>>();
    for (const [suffix, accept, type] of asks) {
      const answer = await fetch(`${baseUrl}${page}${suffix}`, {
        ...accept !== null && { headers: { accept } },
      });
      const asked = `${page}${suffix} as ${accept}`;
      assertEquals(answer.status, 200, asked);
      assertEquals(answer.headers.get("content-type"), type, asked);
      const vary = answer.headers.get("vary");
      assertEquals(vary, "Accept, Accept-Encoding", asked);
      // Who is known to be signed out is offered to sign in, above the rest.
      const text = (await answer.text()).replace(/^<!doctype[^]*<main/, "");
      texts.set(type, (texts.get(type) ?? new Set()).add(text));
    }
    // Both paths give the same of a kind.
    assertEquals([...texts.values()].map(({ size }) => size), [1, 1], page);
  }
});

Deno.test("a page of a document leads to its Markdown, its parts and other pages", async () => {
  await using running = await runService();
  const { baseUrl } = running.config.settings;
  for (const page of PAGES) {
    const answer = await fetch(`${baseUrl}${page}`);
    const html = await answer.text();
    assertStringIncludes(
      html,
      `<link rel="canonical" href="${baseUrl}${page}"`,
    );
    assertStringIncludes(
      html,
      `<link rel="alternate" type="text/markdown" href="${page}.md"`,
    );
    assertEquals(html.match(/<h1[ >]/g)?.length, 1, page);
    assert(!/\{\w+_(?:url|name|email)\}/.test(html), page);
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    assertEquals(ids.length, new Set(ids).size, page);
    for (const [, fragment] of html.matchAll(/href="#([^"]*)"/g)) {
      assert(ids.includes(fragment), `${page}#${fragment}`);
    }
    for (const [, path = ""] of html.matchAll(/href="(\/[^"#]*)/g)) {
      if (path.endsWith(".md")) assertEquals(path, `${page}.md`);
      const linked = await fetch(baseUrl + path);
      assert(linked.status < 400, `${page} leads to ${path}`);
      await linked.body?.cancel();
    }
  }
});

Deno.test("a page of a document says what it is about before it lists its parts", async () => {
  await using running = await runService();
  const { baseUrl } = running.config.settings;
  for (const page of PAGES.filter((each) => each !== "/developers")) {
    const html = await (await fetch(`${baseUrl}${page}`)).text();
    const places = ["<h1", "<p>", 'aria-label="On this page"', "<h2"]
      .map((part) => html.indexOf(part, html.indexOf("<main")));
    assert(places.every((place) => place > 0), page);
    assertEquals(places, places.toSorted((a, b) => a - b), page);
  }
});

Deno.test("a document is sent again only when it has changed, each kind by its own tag", async () => {
  await using running = await runService();
  const { baseUrl } = running.config.settings;
  const tagOf = async (accept: string) => {
    const headers = { accept };
    const answer = await fetch(`${baseUrl}/auth`, { headers });
    await answer.body?.cancel();
    return answer.headers.get("etag") ?? "";
  };
  const html = await tagOf("text/html");
  const markdown = await tagOf("text/markdown");
  assert(html !== markdown);
  const again = await fetch(`${baseUrl}/auth.md`, {
    headers: { accept: "text/markdown", "if-none-match": markdown },
  });
  assertEquals(again.status, 304);
  const other = await fetch(`${baseUrl}/auth`, {
    headers: { accept: "text/html", "if-none-match": markdown },
  });
  assertEquals(other.status, 200);
  await other.body?.cancel();
});

Deno.test("/auth.md is what scanners look for and names every scope", async () => {
  await using running = await runService();
  const { baseUrl } = running.config.settings;
  const text = await (await fetch(`${baseUrl}/auth.md`)).text();
  assert(/^# .*auth\.md/.test(text));
  for (const scope of SCOPES) assertStringIncludes(text, `| \`${scope}\` |`);
});
