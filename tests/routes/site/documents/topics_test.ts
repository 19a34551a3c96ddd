import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { documentPages } from "../../../../routes/site/documents/document_pages.tsx";
import { markdownParts } from "../../../../routes/site/documents/markdown.tsx";
import { topicPath } from "../../../../routes/site/documents/topics.ts";
import { headingSlug } from "../../../../domain/retrieval/heading_slug.ts";
import { documentText } from "../../../support/documents.ts";
import { runService } from "../../../support/running_service.ts";
import { openSite } from "../../../support/site_app.ts";
import { untilIndexed } from "../../../support/until_indexed.ts";

const BASE = "https://spotlight.example";
const MARKDOWN = documentText("/developers.md");
const { topics, rewriteOn } = documentPages(
  { "/developers.md": MARKDOWN, "/auth.md": "# Auth" },
  { baseUrl: BASE },
);

Deno.test("the documentation for developers is a page a topic, and how to begin is on the first", () => {
  assertEquals(topics.onIndex.map(({ slug }) => slug), [
    "quick-start",
    "where-to-start",
  ]);
  const slugs = topics.pages.map(({ slug }) => slug);
  assert(slugs.length > 20 && slugs.includes("rate-limits"));
  assertEquals(slugs.length, new Set(slugs).size);
  assert(!slugs.includes("search"), "that path is the search's");
  // Nothing of the document is left out.
  const opening = MARKDOWN.slice(0, MARKDOWN.indexOf("\n## ") + 1);
  const sources = markdownParts(MARKDOWN).map(({ source }) => source);
  assertEquals(opening + sources.join(""), MARKDOWN);
});

Deno.test("a link of a document leads to the page that has its heading now", () => {
  const cases: readonly [string | null, string, string][] = [
    ["/developers", "#quick-start", "#quick-start"],
    ["/developers", "#errors", "/developers/errors"],
    ["/developers", "#public-problems", "/developers/errors#public-problems"],
    ["/developers/errors", "#public-problems", "#public-problems"],
    ["/developers/errors", "#errors", "#errors"],
    ["/developers/errors", "#limits", "/developers/limits"],
    ["/developers/errors", "#quick-start", "/developers#quick-start"],
    ["/auth", "#scopes", "#scopes"],
    ["/auth", `${BASE}/developers.md#errors`, "/developers/errors"],
    ["/auth", "/developers#nowhere", "/developers#nowhere"],
    ["/auth", `${BASE}/developers.md`, "/developers"],
    ["/developers", "/auth.md#x", "/auth#x"],
    [null, `${BASE}/developers#limits`, "/developers/limits"],
    [null, "https://elsewhere.example/auth", "https://elsewhere.example/auth"],
  ];
  for (const [path, href, wanted] of cases) {
    assertEquals(rewriteOn(path)(href), wanted, `${href} on ${path}`);
  }
});

Deno.test("every fragment that the documentation had as one page is on the first, with a link onwards", async () => {
  await using running = await runService();
  const { baseUrl } = running.config.settings;
  const html = await (await fetch(`${baseUrl}/developers`)).text();
  const headings = MARKDOWN.replaceAll(/^```[^]*?^```$/gm, "")
    .matchAll(/^#{2,3} (.+)$/gm);
  for (const [, heading = ""] of headings) {
    assertStringIncludes(html, ` id="${headingSlug(heading)}"`);
  }
  for (const part of topics.pages) {
    const entry = new RegExp(
      `<li id="${part.slug}" ?><a href="${topicPath(part)}"`,
    );
    assertMatch(html, entry);
  }
});

Deno.test("every topic is a page whose links lead somewhere, in the sitemap, and Markdown for who asks", async () => {
  await using running = await runService();
  const { baseUrl } = running.config.settings;
  const sitemap = await (await fetch(`${baseUrl}/sitemap.xml`)).text();
  const linked = new Set<string>();
  for (const part of topics.pages) {
    const path = topicPath(part);
    const answer = await fetch(baseUrl + path);
    assertEquals(answer.status, 200, path);
    const html = await answer.text();
    assertEquals(html.match(/<h1[ >]/g)?.length, 1, path);
    assertStringIncludes(
      html,
      `<link rel="canonical" href="${baseUrl}${path}"`,
    );
    assertStringIncludes(html, 'aria-current="page"');
    assertStringIncludes(sitemap, `<loc>${baseUrl}${path}</loc>`);
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    assertEquals(ids.length, new Set(ids).size, path);
    for (const [, slug] of html.matchAll(/href="#([^"]*)"/g)) {
      assert(ids.includes(slug), `${path}#${slug}`);
    }
    for (const [, href = ""] of html.matchAll(/href="(\/[^"#]*)/g)) {
      linked.add(href);
    }
    const headers = { accept: "text/markdown" };
    const markdown = await fetch(baseUrl + path, { headers });
    assert((await markdown.text()).startsWith(`## ${part.text}`), path);
  }
  for (const path of linked) {
    const answer = await fetch(baseUrl + path);
    await answer.body?.cancel();
    assert(answer.status < 400, path);
  }
});

Deno.test("/developers/search finds passages without a script, and leads to their pages", async () => {
  await using running = await runService();
  await untilIndexed(running.service);
  const { baseUrl } = running.config.settings;
  const ask = async (query: string) => {
    const path = `/developers/search?q=${encodeURIComponent(query)}`;
    const answer = await fetch(baseUrl + path);
    assertEquals(answer.status, 200);
    return await answer.text();
  };
  assertStringIncludes(
    await ask("place and raise a bid"),
    'href="/developers/place-and-raise-a-bid"',
  );
  assertStringIncludes(await ask("xyzzyplugh"), "Nothing fits");
  const hostile = await ask("<script>alert(1)</script>");
  assert(!hostile.includes("<script>alert"));
  assert(!(await ask("")).includes("Nothing fits"));
});

Deno.test("a search of the documents costs a token of the address, an empty one none", async () => {
  await using site = await openSite();
  for (let nth = 0; nth < 100; nth++) {
    const taken = await site.limiter.take("page", "192.0.2.1");
    if (!taken.admitted) break;
  }
  const headers = { accept: "text/html" };
  const refused = await site.ask("/developers/search?q=bid", { headers });
  assertEquals(refused.status, 429);
  assertStringIncludes(await refused.text(), "Too many requests");
  const empty = await site.ask("/developers/search?q=", { headers });
  assertEquals(empty.status, 200);
  await empty.body?.cancel();
});
