import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { addDays, type Day } from "../../../../domain/day.ts";
import { settledDays, spotlight } from "../../../support/public_spotlights.ts";
import { openSite } from "../../../support/site_app.ts";

const SPOTLIGHTS = [
  spotlight("2026-09-30", { headline: "Oil of one valley" }),
  spotlight("2026-10-01", { headline: "Bread & more", advertiser: "ÄÖ GmbH" }),
  spotlight("2026-10-31", { headline: "Bread by bicycle" }),
  spotlight("2026-11-01", { description: "Sardines, slow" }),
];

/** The days that the page at this address lists, in its order. */
async function daysOn(query: string): Promise<string[]> {
  await using site = await openSite(SPOTLIGHTS);
  const html = await (await site.ask(`/spotlights${query}`)).text();
  return [...html.matchAll(/<li><time datetime="([^"]+)"/g)]
    .map(([, day]) => day ?? "");
}

const FOUND: Readonly<Record<string, string[]>> = {
  "?q=bread": ["2026-10-31", "2026-10-01"],
  "?q=BREAD%20more": ["2026-10-01"],
  "?q=%C3%A4%C3%B6": ["2026-10-01"],
  "?q=sardines": ["2026-11-01"],
  "?month=2026-10": ["2026-10-31", "2026-10-01"],
  "?month=2026-10&q=bicycle": ["2026-10-31"],
  "?month=2026-12": [],
  "?q=nothing": [],
  "?month=nonsense": ["2026-11-01", "2026-10-31", "2026-10-01", "2026-09-30"],
  "?q=+++": ["2026-11-01", "2026-10-31", "2026-10-01", "2026-09-30"],
};
for (const [query, days] of Object.entries(FOUND)) {
  Deno.test(`/spotlights${query} lists what matches, newest first`, async () => {
    assertEquals(await daysOn(query), days);
  });
}

Deno.test("/spotlights keeps what is looked for on the way to older days", async () => {
  const first: Day = "2026-01-01" as Day;
  const many = Array.from(
    { length: 120 },
    (_, nth) =>
      spotlight(addDays(first, nth), { headline: nth % 2 ? "Odd" : "Even" }),
  );
  await using site = await openSite(many);
  const one = await (await site.ask("/spotlights?q=odd")).text();
  const older = /href="(\/spotlights\?[^"]+)" rel="next"/.exec(one)?.[1] ?? "";
  const two = await (await site.ask(older.replaceAll("&amp;", "&"))).text();
  assertEquals(two.match(/<li><time/g)?.length, 10);
  assert(!two.includes("Even"));
  assert(two.includes("Newest days"));
});

Deno.test("/spotlights takes any query and says it back as text", async () => {
  await using site = await openSite(settledDays(3));
  const text = fc.string({ unit: "grapheme", maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(text, text, async (q, month) => {
      const query = new URLSearchParams({ q: `<i>"${q}`, month });
      const answer = await site.ask(`/spotlights?${query}`);
      assertEquals(answer.status, 200);
      assert(!(await answer.text()).includes("<i>"));
    }),
    { numRuns: 60 },
  );
});

Deno.test("/spotlights looks for words for so many requests of an address, and lists days for any number", async () => {
  await using site = await openSite(settledDays(3));
  const ask = (query: string) =>
    site.ask(`/spotlights${query}`, { headers: { accept: "text/html" } });
  let asked = 0;
  let refused = await ask("?q=bread");
  while (refused.status === 200 && asked++ < 1_000) {
    await refused.text();
    refused = await ask("?q=bread");
  }
  assertEquals(refused.status, 429);
  assert(Number(refused.headers.get("retry-after")) > 0);
  assertEquals(refused.headers.get("content-type"), "text/html; charset=utf-8");
  await refused.text();
  for (const query of ["", "?month=2026-10", "?q="]) {
    const answer = await ask(query);
    await answer.text();
    assertEquals(answer.status, 200, query);
  }
});
