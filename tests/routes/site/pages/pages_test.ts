import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import {
  removed,
  settledDays,
  spotlight,
} from "../../../support/public_spotlights.ts";
import { openSite, problemBody } from "../../../support/site_app.ts";

const PAID = spotlight("2026-11-18");
const HOUSE = spotlight("2026-11-19", { contentType: "house_advertisement" });
const HTML = { headers: { accept: "text/html" } };

async function textOf(response: Response, status = 200): Promise<string> {
  assertEquals(response.status, status);
  assertEquals(
    response.headers.get("content-type"),
    "text/html; charset=utf-8",
  );
  return await response.text();
}

/** Asserts that the text holds each part. */
function assertHas(text: string, ...parts: readonly string[]): void {
  for (const part of parts) assert(text.includes(part), `${part} in ${text}`);
}

Deno.test("/ shows the current Spotlight and links to earlier days", async () => {
  await using site = await openSite([PAID, HOUSE]);
  const html = await textOf(await site.ask("/", HTML));
  assertHas(
    html,
    '<html lang="en">',
    "House advertisement",
    "Headline of 2026-11-19",
    'href="/spotlights/2026-11-18"',
    "Headline of 2026-11-18",
  );
});

Deno.test("/ shows no older day as the current one", async () => {
  await using site = await openSite([PAID, removed(HOUSE)]);
  const html = await textOf(await site.ask("/", HTML));
  assertHas(
    html,
    "No Spotlight is shown right now",
    'href="/spotlights/2026-11-18"',
  );
  assert(!html.includes("2026-11-19"));
});

Deno.test("/ works before a day settled", async () => {
  await using site = await openSite();
  const html = await textOf(await site.ask("/", HTML));
  assertHas(html, "No Spotlight is shown right now");
});

Deno.test("/spotlights/{day} is where canonicalUrl leads", async () => {
  await using site = await openSite([PAID, HOUSE]);
  const read = await site.ask("/api/v1/spotlights/2026-11-18");
  const { canonicalUrl } = (await read.json()).data;
  const path = new URL(canonicalUrl).pathname;
  const html = await textOf(await site.ask(path, HTML));
  assertHas(
    html,
    `<link rel="canonical" href="${canonicalUrl}"`,
    "Paid advertisement",
    '<h1 class="headline" dir="auto" data-preview="headline">' +
      "Headline of 2026-11-18</h1>",
    "What is advertised on 2026-11-18",
    "Acme GmbH",
    '<time datetime="2026-11-18">18 November 2026</time>',
    '<a class="button lit" href="/go/2026-11-18" ' +
      'rel="sponsored nofollow noopener">',
    'Visit <bdi data-preview="host">acme.example</bdi>',
    'href="/spotlights/2026-11-19"',
  );
});

Deno.test("/spotlights/{day} of a day that was closed early says from when it was on show", async () => {
  await using site = await openSite([
    spotlight("2026-11-17"),
    spotlight("2026-11-18", {
      settledAtMs: Date.parse("2026-11-18T12:31:00Z"),
    }),
  ]);
  const own = await textOf(await site.ask("/spotlights/2026-11-18", HTML));
  assertHas(own, "18 Nov 12:31</time>", "19 Nov 23:55</time>");
  const before = await textOf(await site.ask("/spotlights/2026-11-17", HTML));
  assertHas(before, "17 Nov 23:55</time>", "18 Nov 12:31</time>");
});

Deno.test("/spotlights/{day} is a 404 page for removed and unsettled days", async () => {
  await using site = await openSite([removed(PAID), HOUSE]);
  const pages = await Promise.all(
    ["2026-11-18", "2026-11-20", "2026-02-30", "nonsense"].map(async (day) =>
      await textOf(await site.ask(`/spotlights/${day}`, HTML), 404)
    ),
  );
  assertHas(pages[0] ?? "", "No Spotlight to show");
  assertEquals(new Set(pages).size, 1);
});

Deno.test("/spotlights lists all days, a page at a time", async () => {
  await using site = await openSite(settledDays(60));
  const first = await textOf(await site.ask("/spotlights", HTML));
  assertEquals(first.match(/<li><time/g)?.length, 50);
  const older = /\/spotlights\?before=[\d-]+/.exec(first)?.[0] ?? "";
  const second = await textOf(await site.ask(older, HTML));
  assertEquals(second.match(/<li><time/g)?.length, 10);
  assert(!second.includes("Older days"));
});

Deno.test("pages escape whatever an advertiser wrote", async () => {
  const hostile = `<script>alert("1")</script>'"><img src=x onerror=y> &amp;`;
  const ad = {
    headline: hostile,
    description: hostile,
    advertiser: hostile,
    targetUrl: `https://acme.example/?q="><script>`,
  };
  await using site = await openSite([
    spotlight("2026-11-18", ad),
    spotlight("2026-11-19", ad),
  ]);
  for (const path of ["/", "/spotlights", "/spotlights/2026-11-19"]) {
    const html = await textOf(await site.ask(path, HTML));
    // The one element for data holds no bracket but its own.
    const rest = html
      .replace(/<script type="application\/ld\+json">[^<>&]*<\/script>/, "")
      .replace(
        /<script src="\/scripts\/countdown[^"<>]*" defer><\/script>/,
        "",
      );
    assert(!/<(script|img)/i.test(rest), html);
    assertHas(rest, "&lt;script&gt;alert(&quot;1&quot;)", "&amp;amp;");
  }
});

Deno.test("pages escape any text in every place it stands", async () => {
  await using site = await openSite([PAID]);
  const text = fc.string({ unit: "grapheme", maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(text, text, text, async (a, b, c) => {
      const [headline, description, advertiser] = [a, b, c]
        .map((each) => `<i>"'${each}`);
      assert(headline && description && advertiser);
      site.records.apply({ ...PAID, headline, description, advertiser });
      const html = await textOf(await site.ask("/spotlights/2026-11-18"));
      assert(!html.includes("<i>"));
      // Twice in the head for searches, thrice for chats, and on the stage.
      assertEquals(html.match(/&lt;i&gt;/g)?.length, 8);
    }),
    { numRuns: 50 },
  );
});

Deno.test("pages link to https addresses only", async () => {
  const targets = ["javascript:alert(1)", "http://acme.example/", "", "//x"];
  for (const targetUrl of targets) {
    await using site = await openSite([spotlight("2026-11-18", { targetUrl })]);
    const html = await textOf(await site.ask("/spotlights/2026-11-18"));
    assert(!html.includes("sponsored"));
    assert(!html.includes("javascript:"));
  }
});

Deno.test("pages carry no script and allow none", async () => {
  await using site = await openSite([PAID]);
  for (
    const path of [
      "/spotlights",
      "/spotlights/2026-11-18",
      "/spotlights/2020-01-01",
    ]
  ) {
    const { headers } = await site.ask(path, HTML);
    assertEquals(
      headers.get("content-security-policy"),
      "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; " +
        "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    assertEquals(headers.get("x-content-type-options"), "nosniff");
    assertEquals(
      headers.get("referrer-policy"),
      "strict-origin-when-cross-origin",
    );
  }
});

Deno.test("pages cost no token", async () => {
  await using site = await openSite([PAID]);
  for (let i = 0; i < 130; i++) await site.ask("/");
  const response = await site.ask("/");
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("ratelimit"), null);
  const read = await site.ask("/api/v1/spotlight");
  assertEquals(read.headers.get("ratelimit"), '"agent";r=119');
});

Deno.test("pages are revalidated and answered 304", async () => {
  await using site = await openSite([PAID]);
  const first = await site.ask("/spotlights/2026-11-18");
  assertEquals(first.headers.get("cache-control"), "private, no-cache");
  const headers = { "if-none-match": first.headers.get("etag") ?? "" };
  const again = await site.ask("/spotlights/2026-11-18", { headers });
  assertEquals(again.status, 304);
  site.records.apply(removed(PAID));
  const gone = await site.ask("/spotlights/2026-11-18", { headers });
  assertEquals(gone.status, 404);
  assertEquals(gone.headers.get("cache-control"), "no-store");
});

Deno.test("pages say to come back while the records are not read", async () => {
  await using site = await openSite([PAID], { unread: true });
  const response = await site.ask("/", HTML);
  assertEquals(response.headers.get("retry-after"), "1");
  assertHas(await textOf(response, 503), "Please try again");
  assertEquals((await site.ask("/api/v1/spotlight")).status, 503);
});

Deno.test("unknown paths are a page for browsers, a problem for others", async () => {
  await using site = await openSite();
  const page = await textOf(await site.ask("/nowhere", HTML), 404);
  assertHas(page, "There is no such page");
  assertHas(page, '<a href="/spotlights">search the archive</a>');
  const response = await site.ask("/nowhere");
  assertEquals(response.status, 404);
  assertEquals(
    await response.json(),
    problemBody({
      slug: "not-found",
      title: "Not found",
      status: 404,
      detail: 'Cannot find "/nowhere"',
    }),
  );
});

Deno.test("pages take GET and HEAD only", async () => {
  await using site = await openSite([PAID]);
  for (const path of ["/", "/spotlights/2026-11-18", "/robots.txt"]) {
    const posted = await site.ask(path, { method: "POST" });
    assertEquals(posted.status, 405);
    assertEquals(posted.headers.get("allow"), "GET, HEAD");
    const head = await site.ask(path, { method: "HEAD" });
    assertEquals(head.status, 200);
    assertEquals(await head.text(), "");
  }
});

Deno.test("every page finds its style and icon", async () => {
  await using site = await openSite([PAID]);
  const html = await textOf(await site.ask("/"));
  const linked = [
    ...html.matchAll(/<link rel="(?:stylesheet|icon)" href="([^"]+)"/g),
  ];
  assertEquals(linked.length, 3);
  for (const [, path] of linked) {
    const response = await site.ask(path ?? "");
    assertEquals(response.status, 200);
    assertMatch(response.headers.get("cache-control") ?? "", /^public/);
    assertMatch(
      response.headers.get("content-type") ?? "",
      /^(text\/css|image\/(svg|x-icon))/,
    );
  }
});

Deno.test("/robots.txt keeps robots off counted links", async () => {
  await using site = await openSite();
  const response = await site.ask("/robots.txt");
  assertEquals(
    response.headers.get("content-type"),
    "text/plain; charset=utf-8",
  );
  assertEquals(
    await response.text(),
    "User-agent: *\n" +
      "Content-Signal: search=yes, ai-input=yes, ai-train=no\n" +
      "Disallow: /go/\nAllow: /\n\n" +
      "Sitemap: https://spotlight.example/sitemap.xml\n" +
      "schemaMap: https://spotlight.example/schema_map.xml\n",
  );
});

Deno.test("/developers.md is Markdown with the service's own addresses", async () => {
  await using site = await openSite();
  const response = await site.ask("/developers.md");
  assertEquals(
    response.headers.get("content-type"),
    "text/markdown; charset=utf-8",
  );
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
  assertEquals(
    await response.text(),
    "# At https://spotlight.example and https://api.spotlight.example\n",
  );
});
