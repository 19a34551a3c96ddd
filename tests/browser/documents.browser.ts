import { assert, assertEquals } from "@std/assert";
import { openKv } from "../../kv/open.ts";
import { createStore } from "../../kv/store.ts";
import { PHONE, see } from "../support/advertiser_browser.ts";
import { openBrowserWorld } from "../support/chromium.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";
import { untilIndexed } from "../support/until_indexed.ts";

const PAGES = [
  "developers",
  "auth",
  "versioning",
  "privacy",
  "affiliate",
  "terms",
];

Deno.test("documents are read in a browser, by their paths as Markdown too", async () => {
  await using world = await openBrowserWorld();
  const { page, complaints } = await world.open(PHONE);
  for (const name of PAGES) {
    await page.goto(`/${name}.md`);
    assertEquals(await page.locator("h1").count(), 1);
    await page.goto(`/${name}`);
    await see(page, `document-${name}`);
  }
  await page.goto("/");
  await page.getByRole("link", { name: "Developers" }).click();
  await page.waitForURL("**/developers");
  assertEquals(complaints, []);
});

Deno.test("a topic of the documentation is found from its list, by searching and by its old fragment", async () => {
  await using world = await openBrowserWorld();
  await untilIndexed(world.running.service);
  const { page, complaints } = await world.open(PHONE);
  await page.goto("/developers");
  const topics = page.getByRole("navigation", { name: "Topics" });
  await topics.getByRole("link", { name: "Rate limits" }).click();
  await page.waitForURL("**/developers/rate-limits");
  assertEquals(await page.locator("h1").textContent(), "Rate limits");
  await see(page, "topic");
  await page.getByLabel("Search the documentation").fill("raise a bid");
  await page.getByRole("button", { name: "Search" }).click();
  await see(page, "docs-search");
  await page.getByRole("link", { name: "Place and raise a bid" }).first()
    .click();
  await page.waitForURL("**/developers/place-and-raise-a-bid");
  await page.goto("/developers#members-of-a-bid");
  await page.waitForURL(
    "**/developers/place-and-raise-a-bid#members-of-a-bid",
  );
  assertEquals(complaints, []);
});

Deno.test("old fragments and the search of the documentation work without a script", async () => {
  await using world = await openBrowserWorld();
  await untilIndexed(world.running.service);
  const { page } = await world.open({ javaScriptEnabled: false });
  await page.goto("/developers#members-of-a-bid");
  await page.locator("#members-of-a-bid").getByRole("link").click();
  await page.waitForURL(
    "**/developers/place-and-raise-a-bid#members-of-a-bid",
  );
  await page.getByLabel("Search the documentation").fill("rate limits");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: "Rate limits" }).first().click();
  await page.waitForURL("**/developers/rate-limits");
});

Deno.test("a document's code is copied with a button, and scrolls by itself", async () => {
  await using world = await openBrowserWorld();
  const { page, context } = await world.open({
    viewport: { width: 320, height: 640 },
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/developers");
  const code = await page.locator("pre code").first().textContent();
  await page.getByRole("button", { name: "Copy" }).first().click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assertEquals(await page.evaluate("navigator.clipboard.readText()"), code);
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
