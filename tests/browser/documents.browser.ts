import { assert, assertEquals } from "@std/assert";
import { openKv } from "../../kv/open.ts";
import { createStore } from "../../kv/store.ts";
import { LOOKS, see } from "../support/advertiser_browser.ts";
import { openBrowserWorld } from "../support/chromium.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";

const PAGES = [
  "developers",
  "auth",
  "versioning",
  "privacy",
  "affiliate",
  "terms",
];

for (const [look, options] of LOOKS) {
  Deno.test(`documents are read in a browser, by their paths as Markdown too: ${look}`, async () => {
    await using world = await openBrowserWorld();
    const { page, complaints } = await world.open(options);
    for (const name of PAGES) {
      await page.goto(`/${name}.md`);
      assertEquals(await page.locator("h1").count(), 1);
      await page.goto(`/${name}`);
      await see(page, `document-${name}-${look}`);
    }
    await page.goto("/");
    await page.getByRole("link", { name: "Developers" }).click();
    await page.waitForURL("**/developers");
    assertEquals(complaints, []);
  });
}

Deno.test("the contents of a document lead to its parts, and code scrolls by itself", async () => {
  await using world = await openBrowserWorld();
  const { page } = await world.open({ viewport: { width: 320, height: 640 } });
  await page.goto("/developers");
  const contents = page.getByRole("navigation", { name: "On this page" });
  await contents.getByRole("link", { name: "Rate limits" }).click();
  await page.waitForURL("**/developers#rate-limits");
  const top = await page.evaluate(
    "document.getElementById('rate-limits').getBoundingClientRect().top",
  ) as number;
  assert(top >= 0 && top < 100, String(top));
  const scrolled = await page.evaluate(
    `[...document.querySelectorAll("pre")].filter((block) => {
      block.scrollLeft = 40;
      return block.scrollLeft > 0;
    }).length`,
  ) as number;
  assert(scrolled > 0, "no block of code is wider than the window");
});

Deno.test("a Spotlight's page carries data for crawlers that no browser complains of", async () => {
  const kv = await openKv(":memory:");
  const store = createStore({ kv, clock: { now: () => Date.now() } });
  const headline = "</script><script>document.title = 'run'</script>";
  await settle(store, spotlight("2026-03-01", { headline }));
  await using world = await openBrowserWorld({ kv });
  const { page, complaints } = await world.open();
  await page.goto("/spotlights/2026-03-01");
  const data = await page.locator('script[type="application/ld+json"]')
    .textContent();
  assertEquals(JSON.parse(data ?? "").name, headline);
  assertEquals(await page.title(), `${headline} – Spotlight of 2026-03-01`);
  await see(page, "spotlight-with-data");
  assertEquals(complaints, []);
});
