/**
 * What is compressed, and what never is: see `text_answer.ts`.
 *
 * @module
 */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { FONTS } from "../../../../routes/pages/fonts.ts";
import { STYLE_PATH } from "../../../../routes/pages/style.ts";
import { signIn, TestBrowser } from "../../../support/browser.ts";
import { openAdvertiserSite } from "../../../support/advertiser_site.ts";
import { settledDays } from "../../../support/public_spotlights.ts";
import { openSite, type SiteApp } from "../../../support/site_app.ts";

const BROWSER = "gzip, deflate, br, zstd";

/** What is the same for everybody and made once. */
const KEPT = [
  STYLE_PATH,
  "/scripts/passkeys.js",
  "/scripts/passkeys.js",
  "/openapi.json",
  "/llms.txt",
  "/sitemap.xml",
  "/.well-known/oauth-authorization-server",
  "/",
  "/spotlights",
  "/advertise",
  "/how-the-auction-works",
  "/feed.xml",
  "/feed.json",
] as const;

/** What is made for the request, from what everybody may read. */
const MADE = ["/spotlights?q=headline"] as const;

function ask(
  site: SiteApp,
  path: string,
  headers: Record<string, string>,
): Promise<Response> {
  return site.ask(path, { headers: { accept: "text/html", ...headers } });
}

/** What a client makes of an answer, by its Content-Encoding. */
async function decoded(answer: Response): Promise<string> {
  const bytes = await answer.bytes();
  const encoding = answer.headers.get("content-encoding");
  const plain = encoding === "br"
    ? brotliDecompressSync(bytes)
    : encoding === "gzip"
    ? gunzipSync(bytes)
    : bytes;
  return new TextDecoder().decode(plain);
}

Deno.test("what never changes is sent in brotli or gzip, what is made for a request in gzip, as asked for", async () => {
  await using site = await openSite(settledDays(9));
  for (const path of [...KEPT, ...MADE]) {
    const isKept = KEPT.some((each) => each === path);
    const plain = await ask(site, path, {});
    const text = await plain.text();
    for (
      const [accept, encoding] of [
        [BROWSER, isKept ? "br" : "gzip"],
        ["gzip", "gzip"],
        ["br", isKept ? "br" : null],
        ["identity", null],
      ] as const
    ) {
      const said = `${path} for ${accept}`;
      const answer = await ask(site, path, { "accept-encoding": accept });
      assertEquals(answer.status, 200, said);
      assertEquals(answer.headers.get("content-encoding"), encoding, said);
      assert(answer.headers.get("vary")?.includes("Accept-Encoding"), said);
      assertEquals(await decoded(answer), text, said);
    }
  }
});

Deno.test("a compressed answer has a weak tag, and is not sent again in any encoding", async () => {
  await using site = await openSite(settledDays(3));
  for (const path of [...KEPT, ...MADE]) {
    const plain = await ask(site, path, {});
    const strong = plain.headers.get("etag") ?? "";
    await plain.body?.cancel();
    for (const accept of ["gzip", "br"]) {
      const answer = await ask(site, path, { "accept-encoding": accept });
      const etag = answer.headers.get("etag") ?? "";
      const isEncoded = answer.headers.has("content-encoding");
      await answer.body?.cancel();
      assertEquals(etag, isEncoded ? `W/${strong}` : strong, path);
      const again = await ask(site, path, {
        "accept-encoding": accept,
        "if-none-match": etag,
      });
      assertEquals(again.status, 304, path);
      assertEquals(again.headers.get("etag"), etag, path);
      assertEquals(again.headers.get("vary"), answer.headers.get("vary"), path);
      assertEquals(again.headers.get("content-encoding"), null, path);
    }
  }
});

Deno.test("HEAD of what is compressed has the headers of GET, its length too", async () => {
  await using site = await openSite(settledDays(3));
  for (const path of [...KEPT, ...MADE]) {
    const headers = { accept: "text/html", "accept-encoding": BROWSER };
    const got = await site.ask(path, { headers });
    const { length } = await got.bytes();
    const head = await site.ask(path, { method: "HEAD", headers });
    const expected = Object.fromEntries(got.headers);
    assertEquals(
      Object.fromEntries(head.headers),
      { ...expected, "content-length": String(length) },
      path,
    );
  }
});

Deno.test("a range of a text or font is answered with the whole", async () => {
  await using site = await openSite();
  for (const path of [STYLE_PATH, FONTS.latin.path]) {
    const whole = await (await site.ask(path)).bytes();
    const answer = await site.ask(path, { headers: { range: "bytes=0-9" } });
    assertEquals(answer.status, 200);
    assertEquals(answer.headers.get("accept-ranges"), null);
    assertEquals(await answer.bytes(), whole);
  }
});

Deno.test("fonts are sent as they are: they are compressed already", async () => {
  await using site = await openSite();
  const headers = { "accept-encoding": BROWSER };
  const answer = await site.ask(FONTS.latin.path, { headers });
  assertEquals(answer.headers.get("content-encoding"), null);
  assertEquals(await answer.bytes(), FONTS.latin.bytes);
});

Deno.test("a file is kept for a year at the address of its version only", async () => {
  await using site = await openSite();
  const path = STYLE_PATH.slice(0, STYLE_PATH.indexOf("?"));
  for (
    const [asked, kept] of [
      [STYLE_PATH, "public, max-age=31536000, immutable"],
      [path, "no-cache"],
      [`${path}?v=another1`, "no-cache"],
      [`${STYLE_PATH}x`, "no-cache"],
    ] as const
  ) {
    const answer = await site.ask(asked);
    await answer.body?.cancel();
    assertEquals(answer.headers.get("cache-control"), kept, asked);
  }
});

Deno.test("no page with a secret of anybody's is compressed: sign-in, account, forms, consent", async () => {
  await using site = await openAdvertiserSite();
  const browser = await site.browser("ada");
  const consent = await site.authorize();
  const headers = { "accept-encoding": BROWSER };
  const paths = [
    "/agents",
    "/bids",
    "/billing",
    "/creatives",
    "/creatives/new",
    "/invoices",
    "/onboarding",
    consent,
  ];
  for (const path of paths) {
    const answer = await browser.get(path, { headers });
    assertEquals(answer.status, 200, path);
    assert((await answer.text()).includes("<!doctype html>"), path);
    assertEquals(answer.headers.get("content-encoding"), null, path);
    assertEquals(answer.headers.get("vary"), null, path);
  }
});

Deno.test("the pages of signing in are not compressed", async () => {
  await using site = await openSite();
  const browser = new TestBrowser(site);
  const headers = { "accept-encoding": BROWSER };
  for (
    const answer of [
      await browser.get("/sign-in", { headers }),
      await browser.post("/sign-in", { email: "ada@example.com" }, { headers }),
      await browser.get("/sign-in/verify", { headers }),
    ]
  ) {
    assert(answer.status < 400);
    await answer.body?.cancel();
    assertEquals(answer.headers.get("content-encoding"), null);
  }
});

Deno.test("public pages are not compressed for whoever is signed in, save those that never change", async () => {
  await using site = await openSite(settledDays(3));
  const browser = new TestBrowser(site);
  await signIn(site, browser);
  const headers = { "accept-encoding": BROWSER };
  for (const path of ["/", "/spotlights", "/advertise", "/account"]) {
    const answer = await browser.get(path, { headers });
    assert((await answer.text()).includes('href="/account"'), path);
    assertEquals(answer.headers.get("content-encoding"), null, path);
  }
  const style = await browser.get(STYLE_PATH, { headers });
  assertNotEquals(style.headers.get("content-encoding"), null);
  await style.body?.cancel();
});
