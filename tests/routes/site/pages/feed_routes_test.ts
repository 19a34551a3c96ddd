import { assert, assertEquals } from "@std/assert";
import {
  removed,
  settledDays,
  spotlight,
} from "../../../support/public_spotlights.ts";
import { openSite } from "../../../support/site_app.ts";

const HOSTILE = {
  headline: `</title>&"<b>\u0001`,
  description: "]]>&amp;\ud83d",
  advertiser: "<Ä> & Söhne",
};

Deno.test("/feed.json is a JSON Feed of the newest days, each said to be advertising", async () => {
  await using site = await openSite(settledDays(40));
  const response = await site.ask("/feed.json");
  assertEquals(
    response.headers.get("content-type"),
    "application/feed+json; charset=utf-8",
  );
  const feed = await response.json();
  assertEquals(feed.version, "https://jsonfeed.org/version/1.1");
  assertEquals(feed.items.length, 30);
  const [first] = feed.items;
  assert(first.url.startsWith("https://spotlight.example/spotlights/"));
  assert(first.date_published.endsWith("T23:55:00.000Z"));
  assert(/^(Paid|House) advertisement from /.test(first.content_text));
});

Deno.test("feeds say of a day that was closed early when it came on show, not its hour", async () => {
  const settledAtMs = Date.parse("2026-11-18T12:30:04.000Z");
  await using site = await openSite([spotlight("2026-11-18", { settledAtMs })]);
  const { items: [item] } = await (await site.ask("/feed.json")).json();
  assertEquals(item.date_published, "2026-11-18T12:30:04.000Z");
  const xml = await (await site.ask("/feed.xml")).text();
  assert(xml.includes("<published>2026-11-18T12:30:04.000Z</published>"));
});

Deno.test("/feed.xml is Atom that holds whatever an advertiser wrote as text", async () => {
  await using site = await openSite([spotlight("2026-11-18", HOSTILE)]);
  const response = await site.ask("/feed.xml");
  assertEquals(
    response.headers.get("content-type"),
    "application/atom+xml; charset=utf-8",
  );
  const xml = await response.text();
  assert(xml.startsWith('<?xml version="1.0" encoding="utf-8"?>\n<feed'));
  assert(!xml.includes("<b>") && !xml.includes("\u0001"));
  // Each is closed once, and nothing an advertiser wrote closes it.
  for (const name of ["feed", "entry", "summary", "author", "name"]) {
    assertEquals(xml.match(new RegExp(`<${name}[ >]`, "g"))?.length, 1, name);
    assertEquals(xml.match(new RegExp(`</${name}>`, "g"))?.length, 1, name);
  }
  assert(xml.includes("<name>&#60;Ä&#62; &#38; Söhne</name>"));
});

Deno.test("feeds hold no removed Spotlight, and are answered 304 while nothing changed", async () => {
  const one = spotlight("2026-11-18");
  await using site = await openSite([one, spotlight("2026-11-19")]);
  for (const path of ["/feed.xml", "/feed.json"]) {
    const first = await site.ask(path);
    assert((await first.text()).includes("2026-11-18"));
    assertEquals(first.headers.get("cache-control"), "private, no-cache");
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    assertEquals((await site.ask(path, { headers })).status, 304);
  }
  site.records.apply(removed(one));
  for (const path of ["/feed.xml", "/feed.json"]) {
    assert(!(await (await site.ask(path)).text()).includes("2026-11-18"));
  }
});

Deno.test("every page names the feeds in its head", async () => {
  await using site = await openSite([spotlight("2026-11-18")]);
  for (const path of ["/", "/spotlights", "/spotlights/2026-11-18"]) {
    const html = await (await site.ask(path)).text();
    assert(html.includes('type="application/atom+xml"'));
    assert(html.includes('href="/feed.json"'));
  }
});
