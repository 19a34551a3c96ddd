import { assert, assertEquals, assertMatch } from "@std/assert";
import { ManualClock } from "../../../support/clock.ts";
import { settledDays, spotlight } from "../../../support/public_spotlights.ts";
import { TEST_SELLER } from "../../../support/seller.ts";
import { openSite } from "../../../support/site_app.ts";

const at = (time: string) => new ManualClock(Date.parse(time));
const PAID = spotlight("2026-11-18");
const HOUSE = spotlight("2026-11-18", { contentType: "house_advertisement" });

async function homeAt(
  time: string,
  spotlights: Parameters<typeof openSite>[0] = [PAID],
): Promise<string> {
  await using site = await openSite(spotlights, { clock: at(time) });
  return await (await site.ask("/")).text();
}

/** What a page says, without its elements. */
function textOf(html: string): string {
  return html.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
}

Deno.test("/ says until when the Spotlight is shown, and how long that is", async () => {
  const html = await homeAt("2026-11-19T13:12:00Z");
  assertMatch(textOf(html), /Shown until 23:55 UTC · 10 h 43 min left/);
  const untilMs = Date.parse("2026-11-19T23:55:00Z");
  assert(html.includes(`data-until="${untilMs}"`));
  // Of the minute, within which all are sent the same.
  const asOfMs = Date.parse("2026-11-19T13:12:00Z");
  const later = await homeAt("2026-11-19T13:12:59Z");
  assert(later.includes(`data-now="${asOfMs}"`) && !later.includes("59000"));
  assert(html.includes("/scripts/countdown.js?v="));
});

Deno.test("/ says nothing of an end that has passed: the next day settles late", async () => {
  const html = await homeAt("2026-11-20T00:10:00Z");
  assert(!html.includes("Shown until"));
  assert(html.includes("Headline of 2026-11-18"));
});

Deno.test("/ tells how long one may bid, or when one may again", async () => {
  assertMatch(
    textOf(await homeAt("2026-11-19T23:00:00Z")),
    /Tonight’s auction of this place is open\. 55 min left to bid\./,
  );
  assertMatch(
    textOf(await homeAt("2026-11-19T23:56:00Z")),
    /The next auction opens in 4 min\./,
  );
});

Deno.test("/ of a day that was closed early names the day it is shown until, and the next auction", async () => {
  const text = textOf(await homeAt("2026-11-18T08:00:00Z"));
  assertMatch(text, /Shown until 19 Nov 23:55 UTC · 39 h 55 min left/);
  assertMatch(text, /The next auction opens in 16 h\b/);
});

Deno.test("/ leads from a house advertisement to the page for advertisers", async () => {
  const html = await homeAt("2026-11-19T13:12:00Z", [HOUSE]);
  assert(html.includes('<a class="button lit" href="/advertise"'));
  assert(!html.includes("/go/"));
});

Deno.test("/ shows five earlier days as cards and is the largest thing itself", async () => {
  const html = await homeAt("2026-11-19T13:12:00Z", settledDays(9));
  assertEquals(html.match(/<li><time/g)?.length, 5);
  assertEquals(html.match(/<h1/g)?.length, 1);
});

Deno.test("/ may run our script and nobody else's", async () => {
  await using site = await openSite([PAID]);
  const { headers } = await site.ask("/");
  assertEquals(
    headers.get("content-security-policy"),
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; " +
      "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
      "script-src 'self'",
  );
});

Deno.test("pages find their face, which may be kept for a year", async () => {
  await using site = await openSite([PAID]);
  const html = await (await site.ask("/")).text();
  const path = /<link rel="preload" href="([^"]+)"/.exec(html)?.[1] ?? "";
  const style = await (await site.ask(
    /<link rel="stylesheet" href="([^"]+)"/.exec(html)?.[1] ?? "",
  )).text();
  let bytes = 0;
  const files = style.matchAll(/url\("([^"]+)"\)/g);
  for (const [, file] of files) {
    const response = await site.ask(file ?? "");
    assertEquals(response.headers.get("content-type"), "font/woff2");
    assertMatch(response.headers.get("cache-control") ?? "", /immutable/);
    const content = await response.bytes();
    // The sign of WOFF2: wOF2.
    assertEquals(new TextDecoder().decode(content.slice(0, 4)), "wOF2");
    bytes += content.length;
    const etag = response.headers.get("etag") ?? "";
    const again = { headers: { "if-none-match": etag } };
    assertEquals((await site.ask(file ?? "", again)).status, 304);
  }
  assert(style.includes(path));
  assert(bytes > 10_000 && bytes <= 40 * 1024, `${bytes} bytes`);
});

Deno.test("/advertise says what one buys, who may, what it costs and how to start", async () => {
  await using site = await openSite();
  const html = await (await site.ask("/advertise")).text();
  const parts = [
    "from 23:55 UTC",
    "European Union",
    "EUR 1.00",
    '<a class="button main" href="/onboarding">Start now</a>',
    'href="/how-the-auction-works"',
  ];
  for (const part of parts) assert(html.includes(part), part);
});

Deno.test("/advertise tells the median of human clicks, and all else while the store is silent", async () => {
  const days = settledDays(12);
  await using site = await openSite(days);
  await site.test.store.transact((tx) => {
    for (const [nth, { day }] of days.entries()) {
      tx.clickCounts.add(1_000 + nth, day, "outcome", "human");
      tx.bidCounts.add(77, day);
    }
  });
  const page = async () => {
    const answer = await site.ask("/advertise");
    assertEquals(answer.status, 200);
    return textOf(await answer.text());
  };
  site.test.kv.inject({ on: "read", fault: { kind: "fail_before" } });
  const silent = await page();
  assertMatch(silent, /What you buy/);
  assert(!silent.includes("median"));
  // Nine of twelve are final: 1,000 to 1,008.
  const text = await page();
  assertMatch(text, /1,004 human clicks\s*the median of the last 9 paid days/);
  assert(!text.includes("77"));
});

Deno.test("/imprint names the seller", async () => {
  await using site = await openSite();
  const html = await (await site.ask("/imprint")).text();
  const { name, vatId, email } = TEST_SELLER;
  for (const part of [name, vatId, email]) {
    assert(html.includes(part), part);
  }
});
