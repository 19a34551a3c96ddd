import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { documentPages } from "../../../../routes/site/documents/document_pages.tsx";
import { markdownParts } from "../../../../routes/site/documents/markdown.tsx";
import {
  topicMarkdown,
  topicPath,
} from "../../../../routes/site/documents/topics.ts";
import { headingSlug } from "../../../../domain/retrieval/heading_slug.ts";
import { documentText } from "../../../support/documents.ts";
import { runService } from "../../../support/running_service.ts";
import { networksOf } from "../../../../domain/rate_limit/network.ts";
import { drain } from "../../../support/limiter.ts";
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
    for (
      const [suffix, accept] of [
        ["", "text/markdown"],
        ["", "text/markdown, text/html, */*"],
        [".md", "*/*"],
      ] as const
    ) {
      const address = `${baseUrl}${path}${suffix}`;
      const markdown = await fetch(address, { headers: { accept } });
      const text = await markdown.text();
      assert(text.startsWith(`## ${part.text}`), `${address} as ${accept}`);
    }
  }
  for (const path of linked) {
    const answer = await fetch(baseUrl + path);
    await answer.body?.cancel();
    assert(answer.status < 400, path);
  }
});

/** Commands that a shell or the examples' own requirements bring along. */
const GIVEN = ["DATA_DIR", "PATH", "HOME"];

Deno.test("every topic whose blocks use what the examples define says what to paste first, in Markdown too", () => {
  const examples = topics.pages.find(({ slug }) => slug === "run-the-examples");
  const blocksOf = (source: string) =>
    [...source.matchAll(/^```sh run\n([^]*?)^```$/gm)]
      .map(([, block = ""]) => block.replaceAll(/^# →.*$/gm, "")).join("\n");
  const definedIn = (block: string) =>
    [...block.matchAll(/(?:^|\s)([A-Za-z_]+)(?:=|\(\) \{)/gm)]
      .map(([, name = ""]) => name);
  const shared = definedIn(blocksOf(examples?.source ?? ""));
  assertEquals(shared.toSorted(), [
    "AD",
    "DAY",
    "SIMULATOR",
    "TODAY",
    "TOKEN",
    "field",
    "key",
  ]);
  const warned = new Set<string>();
  for (const part of topics.pages) {
    const commands = blocksOf(part.source);
    const markdown = topicMarkdown(part, rewriteOn(topicPath(part)), BASE);
    const first = markdown.indexOf(
      `> First paste the blocks of [Run the examples](${BASE}/developers/run-the-examples)`,
    );
    // What a block uses stands above it, or is said to be pasted first.
    const known = [...GIVEN, ...definedIn(commands)];
    const used = [...commands.matchAll(/\$\{?([A-Z]\w+)|\$\(([a-z]+)\)/g)]
      .map(([, variable, helper]) => variable ?? helper ?? "")
      .filter((name) => !known.includes(name));
    for (const name of used) assert(shared.includes(name), name);
    if (part === examples) continue;
    assertEquals(first >= 0, used.length > 0, part.slug);
    if (first < 0) continue;
    warned.add(part.slug);
    assert(first < markdown.indexOf("```"), part.slug);
    assert(!part.summary.includes("First paste"), part.slug);
  }
  for (
    const slug of [
      "sandbox",
      "place-and-raise-a-bid",
      "buy-click-figures-over-http-402",
    ]
  ) assert(warned.has(slug), slug);
});

Deno.test("no link of a topic in Markdown leads to a heading that it has not", () => {
  let elsewhere = 0;
  for (const part of topics.pages) {
    const markdown = topicMarkdown(part, rewriteOn(topicPath(part)), BASE);
    const own = [part.slug, ...part.contents.map(({ slug }) => slug)];
    for (const [, href = ""] of markdown.matchAll(/\]\(([^()\s]+)\)/g)) {
      if (href.startsWith("#")) assert(own.includes(href.slice(1)), href);
      if (!href.startsWith(`${BASE}/developers/`)) continue;
      const [page = "", slug] = href.slice(BASE.length).split("#");
      const there = topics.pages.find((one) => topicPath(one) === page);
      assert(there, href);
      const slugs = there.contents.map(({ slug }) => slug);
      assert(slug === undefined || slugs.includes(slug), href);
      elsewhere += 1;
    }
  }
  assert(elsewhere > 20, `${elsewhere} links`);
});

Deno.test("one /48 searches pages 240 times at once, documents and archive together, whatever /64s it asks from", async () => {
  await using site = await openSite();
  const site48 = networksOf("2001:db8:1:2::/64").slice(-1);
  assertEquals(await drain(site, "page_search", site48), 240);
  const others = "2001:db8:2::1";
  for (const path of ["/developers/search", "/spotlights"]) {
    for (const from of ["2001:db8:1:7700::1", others]) {
      const answer = await site.ask(`${path}?q=bid`, { from });
      await answer.body?.cancel();
      assertEquals(answer.status, from === others ? 200 : 429, path);
    }
    const plain = await site.ask(path, { from: "2001:db8:1:7700::1" });
    await plain.body?.cancel();
    assertEquals(plain.status, 200, path);
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
  assertEquals(await drain(site, "page_search", networksOf("192.0.2.1")), 60);
  const headers = { accept: "text/html" };
  const refused = await site.ask("/developers/search?q=bid", { headers });
  assertEquals(refused.status, 429);
  assertStringIncludes(await refused.text(), "Too many requests");
  const empty = await site.ask("/developers/search?q=", { headers });
  assertEquals(empty.status, 200);
  await empty.body?.cancel();
});
