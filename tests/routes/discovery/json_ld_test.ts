import fc from "fast-check";
import { assert, assertEquals } from "@std/assert";
import { jsonForPage } from "../../../routes/pages/layout.tsx";
import { spotlight } from "../../support/public_spotlights.ts";
import { openSite } from "../../support/site_app.ts";

const PAID = spotlight("2026-11-18");

/** What a page tells crawlers. */
function dataOf(html: string): unknown {
  const blocks = [
    ...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs),
  ];
  assertEquals(blocks.length, 1);
  return JSON.parse(blocks[0]?.[1] ?? "");
}

Deno.test("a Spotlight's page tells crawlers what it shows", async () => {
  await using site = await openSite([PAID]);
  const html = await (await site.ask("/spotlights/2026-11-18")).text();
  const url = "https://spotlight.example/spotlights/2026-11-18";
  assertEquals(dataOf(html), {
    "@context": "https://schema.org",
    "@type": "CreativeWork",
    "@id": url,
    url,
    name: PAID.headline,
    description: PAID.description,
    datePublished: "2026-11-18",
    additionalType: "paid_advertisement",
    sponsor: { "@type": "Organization", name: PAID.advertiser },
    isAccessibleForFree: true,
  });
});

Deno.test("no copy gets out of a page's data", async () => {
  await using site = await openSite([PAID]);
  const copy = fc.oneof(
    fc.constantFrom("</script><script>", "<!--<script>", "]]>", "\u2028"),
    fc.string({ unit: "binary" }),
  ).map((text) => `${text}</SCRIPT>`);
  await fc.assert(
    fc.asyncProperty(copy, async (headline) => {
      const text = jsonForPage({ headline });
      assert(!/[<>&\u2028\u2029]/.test(text));
      assertEquals(JSON.parse(text), { headline });
      site.records.apply({ ...PAID, headline });
      const html = await (await site.ask("/spotlights/2026-11-18")).text();
      assertEquals((dataOf(html) as { name: string }).name, headline);
    }),
    { numRuns: 100 },
  );
});
