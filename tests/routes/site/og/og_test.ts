import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertThrows,
} from "@std/assert";
import type { PublicRecord } from "../../../../domain/spotlights/public_record.ts";
import {
  DayImages,
  DRAWN_OR_WAITING,
  IMAGES_MAX,
  PAUSE_MS,
  TooManyImages,
} from "../../../../routes/site/og/day_images.ts";
import { ogSvg } from "../../../../routes/site/og/og_svg.ts";
import {
  removed,
  settledDays,
  spotlight,
} from "../../../support/public_spotlights.ts";
import { networksOf } from "../../../../domain/rate_limit/network.ts";
import { drain } from "../../../support/limiter.ts";
import { openSite } from "../../../support/site_app.ts";

const DAY = "2026-11-18";
const PATH = `/og/${DAY}.png`;
const HEADLINE = "Learn to throw a pot in one Saturday";

Deno.test("/og/{day}.png is a PNG of 1200 by 630, sent again only when it has changed", async () => {
  await using site = await openSite([spotlight(DAY)]);
  const answer = await site.ask(PATH);
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("content-type"), "image/png");
  assertEquals(answer.headers.get("cache-control"), "private, no-cache");
  const png = await answer.bytes();
  const view = new DataView(png.buffer);
  assertEquals([view.getUint32(16), view.getUint32(20)], [1200, 630]);
  assert(png.length < 100_000, `${png.length} bytes`);
  const etag = answer.headers.get("etag") ?? "";
  const again = { headers: { "if-none-match": etag } };
  assertEquals((await site.ask(PATH, again)).status, 304);
  const head = await site.ask(PATH, { method: "HEAD" });
  assertEquals(head.headers.get("content-length"), String(png.length));
});

Deno.test("/og/{day}.png is there as long as the day's page is", async () => {
  const one = spotlight(DAY);
  await using site = await openSite([one]);
  const statusOf = async (path: string) => {
    const answer = await site.ask(path);
    await answer.body?.cancel();
    return answer.status;
  };
  assertEquals(await statusOf(PATH), 200);
  for (const path of ["/og/2026-11-19.png", `/og/${DAY}`, "/og/x", "/og"]) {
    assertEquals(await statusOf(path), 404, path);
  }
  site.records.apply(removed(one));
  assertEquals(await statusOf(`/spotlights/${DAY}`), 404);
  assertEquals(await statusOf(PATH), 404);
});

Deno.test("an address pays for pictures that have to be drawn, and for no other", async () => {
  await using site = await openSite([spotlight(DAY)]);
  assertEquals(await drain(site, "picture", networksOf("192.0.2.1")), 10);
  const refused = await site.ask(PATH);
  assertEquals(refused.status, 429);
  assert(refused.headers.has("retry-after"));
  await refused.body?.cancel();
  for (const from of ["192.0.2.2", "192.0.2.1"]) {
    const answer = await site.ask(PATH, { from });
    assertEquals(answer.status, 200, from);
    await answer.body?.cancel();
  }
});

Deno.test("one /48 has 40 pictures drawn at once, whatever /64s it asks from", async () => {
  await using site = await openSite([spotlight(DAY)]);
  const site48 = networksOf("2001:db8:1:2::/64").slice(-1);
  assertEquals(await drain(site, "picture", site48), 40);
  for (
    const [from, status] of [
      ["2001:db8:1:7700::1", 429],
      ["2001:db8:2::1", 200],
      ["2001:db8:1:7700::1", 200],
    ] as const
  ) {
    const answer = await site.ask(PATH, { from });
    await answer.body?.cancel();
    assertEquals(answer.status, status, from);
  }
});

Deno.test("home and a day's page name the picture of the day and what is on it", async () => {
  await using site = await openSite([
    spotlight(DAY, { headline: `${HEADLINE} & "more"` }),
  ]);
  const url = `https://spotlight.example${PATH}`;
  for (const path of ["/", `/spotlights/${DAY}`]) {
    const html = await (await site.ask(path)).text();
    for (
      const meta of [
        `<meta property="og:image" content="${url}"`,
        `<meta property="og:image:alt" content="Paid advertisement: ${HEADLINE} &amp; &quot;more&quot;"`,
        '<meta property="og:image:width" content="1200"',
        '<meta name="twitter:card" content="summary_large_image"',
      ]
    ) assert(html.includes(meta), meta);
    assertMatch(html, /<meta property="og:title" content="[^"]+"/);
  }
  assert(!(await (await site.ask("/advertise")).text()).includes("og:image"));
});

const AD = {
  day: DAY,
  headline: HEADLINE,
  advertiser: "Atelier Brume SARL",
  contentType: "paid_advertisement",
} as const;

Deno.test("ogSvg() says what is advertised, who pays, and that it is paid for", () => {
  const svg = ogSvg(AD);
  const lines = [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) =>
    text
  );
  assertEquals(lines, [
    "Spotlight",
    "Paid advertisement",
    "Learn to throw a pot",
    "in one Saturday",
    "Paid for by Atelier Brume SARL",
  ]);
});

Deno.test("ogSvg() draws the day alone where the face lacks a letter", () => {
  for (
    const changes of [
      { headline: "مرحبا بالعالم" },
      { headline: "日本の陶芸" },
      { advertiser: "ევროპა" },
      { headline: "Party 🎉" },
    ]
  ) {
    const svg = ogSvg({ ...AD, ...changes });
    assert(svg.includes(">18 November 2026<"));
    // deno-lint-ignore no-control-regex -- what is beyond ASCII is looked for
    assert(!/[^\x00-\x7f]/.test(svg), svg);
  }
});

Deno.test("ogSvg() has room for every text that may be written", () => {
  for (const headline of ["W".repeat(60), "mmm ".repeat(15), "iiii"]) {
    const svg = ogSvg({ ...AD, headline, advertiser: "M".repeat(120) });
    for (const [, y = ""] of svg.matchAll(/<text x="\d+" y="([^"]+)"/g)) {
      assert(Number(y) > 0 && Number(y) < 600, `${headline} at ${y}`);
    }
  }
});

Deno.test("ogSvg() holds whatever an advertiser wrote as text", () => {
  const svg = ogSvg({ ...AD, headline: `</text><image href="//x"/>&` });
  assert(!svg.includes("<image"));
});

/** Days' records; nothing of them matters but which they are. */
async function recordsOf(count: number): Promise<readonly PublicRecord[]> {
  await using site = await openSite(settledDays(count));
  return site.records.snapshot.records;
}

/** A time that goes on while somebody waits, and how long that was each time. */
function drawingTime() {
  const pausesMs: number[] = [];
  let nowMs = 0;
  return {
    pausesMs,
    nowMs: () => nowMs,
    sleep(ms: number) {
      pausesMs.push(ms);
      nowMs += ms;
      return Promise.resolve();
    },
  };
}

Deno.test("DayImages leaves three quarters of the time to others, however many pictures are asked for", async () => {
  const [first, second, third] = await recordsOf(3);
  assert(first && second && third);
  const time = drawingTime();
  const images = new DayImages(() => Promise.resolve(new Uint8Array(8)), time);
  await images.of(first);
  assertEquals(time.pausesMs, [], "the first one waits for nothing");
  await Promise.all([images.of(second), images.of(third)]);
  assertEquals(time.pausesMs, [PAUSE_MS, PAUSE_MS]);
  await images.of(first);
  assertEquals(time.pausesMs.length, 2, "what is kept needs no drawing");
});

Deno.test("DayImages draws a picture once, one after another, and lets so many wait", async () => {
  const records = await recordsOf(DRAWN_OR_WAITING + 1);
  const gate = Promise.withResolvers<void>();
  let drawn = 0;
  let drawing = 0;
  const images = new DayImages(async () => {
    drawn++;
    drawing++;
    await gate.promise;
    assertEquals(drawing--, 1);
    return new Uint8Array(8);
  }, drawingTime());
  const some = records.slice(0, DRAWN_OR_WAITING);
  const first = some.map((record) => images.of(record));
  const again = some.map((record) => images.of(record));
  const [late] = records.slice(DRAWN_OR_WAITING);
  assert(late !== undefined);
  assertThrows(() => images.of(late), TooManyImages);
  gate.resolve();
  assertEquals(await Promise.all(first), await Promise.all(again));
  assertEquals(drawn, DRAWN_OR_WAITING);
  await images.of(late);
  assertEquals(drawn, DRAWN_OR_WAITING + 1);
});

Deno.test("DayImages keeps so many pictures, those used last", async () => {
  const records = await recordsOf(IMAGES_MAX + 1);
  const images = new DayImages(
    () => Promise.resolve(new Uint8Array(8)),
    drawingTime(),
  );
  const [oldest, second] = records;
  assert(oldest !== undefined && second !== undefined);
  for (const record of records.slice(0, IMAGES_MAX)) await images.of(record);
  await images.of(oldest);
  for (const record of records.slice(IMAGES_MAX)) await images.of(record);
  assertEquals([images.has(oldest), images.has(second)], [true, false]);
});

Deno.test("DayImages draws again what could not be drawn", async () => {
  const [record] = await recordsOf(1);
  assert(record !== undefined);
  let tries = 0;
  const images = new DayImages(() => {
    return tries++ === 0
      ? Promise.reject(new Error("No memory"))
      : Promise.resolve(new Uint8Array(8));
  }, drawingTime());
  await assertRejects(() => images.of(record), Error, "No memory");
  await images.of(record);
  assertEquals(tries, 2);
});
