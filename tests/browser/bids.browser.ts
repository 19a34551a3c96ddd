import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { PHONE, see, unwanted } from "../support/advertiser_browser.ts";
import { arrive, makeReady } from "../support/bids_browser.ts";
import { openBrowserWorld } from "../support/chromium.ts";

Deno.test("a bid is placed and raised in the browser", async () => {
  await using world = await openBrowserWorld();
  const { page, complaints } = await world.open(PHONE);
  await arrive(world, page);
  await page.getByRole("link", { name: "Enter your company" }).waitFor();
  await see(page, "bids-not-ready");
  await makeReady(world);
  await page.reload();
  await page.getByText("Preview of").click();
  await see(page, "bids-form");

  await page.getByLabel("Amount in euros").fill("0.50");
  await page.getByRole("button", { name: "Review the bid" }).click();
  // What is wrong has the focus, and leads to the field that says so, too.
  const alert = page.getByRole("alert");
  await page.waitForFunction("document.activeElement.role === 'alert'");
  await see(page, "bids-too-low");
  await alert.getByRole("link").click();
  assertEquals(await focusedField(page), {
    id: "amount",
    told: await alert.innerText(),
  });
  await page.getByLabel("Amount in euros").fill("99");
  await page.getByRole("button", { name: "Review the bid" }).click();
  const place = page.getByRole("button", { name: /^Place the bid of/ });
  await place.waitFor();
  await see(page, "bids-review");
  await place.click();
  await page.waitForURL("**/bids?done=placed.*");
  assertMatch(await page.innerText("main"), /EUR 99\.00 for Lamps/);
  await see(page, "bids-stands");

  await page.getByLabel("Amount in euros").fill("120,50");
  await page.getByRole("button", { name: "Review the raise" }).click();
  await page.getByRole("button", { name: /^Raise the bid to/ }).click();
  await page.waitForURL("**/bids?done=placed.*");
  assertMatch(await page.innerText("main"), /EUR 120\.50/);
  await page.goBack();
  // Chromium would stop there, and ask whether to send the form once more.
  assertEquals(new URL(page.url()).pathname, "/bids");
  assertMatch(await page.innerText("main"), /EUR 120\.50/);
  await page.getByLabel("Amount in euros").fill("130");
  await page.getByRole("button", { name: "Review the raise" }).click();
  await page.getByRole("button", { name: /^Raise the bid to/ }).waitFor();
  await page.reload();
  assertEquals(new URL(page.url()).pathname, "/bids");
  assertEquals(unwanted(complaints), []);
});

/** The field with the focus, and what it is said to be wrong. */
function focusedField(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const { id, attributes } = document.activeElement;
    const [told] = attributes["aria-describedby"].value.split(" ").slice(-1);
    return { id, told: document.getElementById(told).textContent };
  })()`);
}

Deno.test("a bid is placed without JavaScript, from the keyboard, and once by a double click", async () => {
  await using world = await openBrowserWorld();
  const { page, complaints } = await world.open({ javaScriptEnabled: false });
  await arrive(world, page);
  await makeReady(world);
  await page.reload();
  await page.getByLabel("Amount in euros").fill("42");
  await page.keyboard.press("Enter");
  const place = page.getByRole("button", { name: /^Place the bid of/ });
  await place.dblclick();
  await page.waitForURL("**/bids?done=placed.*");
  assertMatch(await page.innerText("main"), /EUR 42\.00/);
  assertEquals(unwanted(complaints), []);
});
