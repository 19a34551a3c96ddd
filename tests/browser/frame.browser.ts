import { assertEquals } from "@std/assert";
import {
  PHONE,
  see,
  signInHere,
  unwanted,
} from "../support/advertiser_browser.ts";
import { openBrowserWorld } from "../support/chromium.ts";

const OPERATOR = "operator@example.com";

Deno.test("each role walks its navigation", async () => {
  await using world = await openBrowserWorld({
    env: { OPERATOR_EMAILS: OPERATOR },
  });
  const { page, context, complaints } = await world.open(PHONE);
  const nav = page.getByRole("navigation", { name: "Site" });
  const follow = async (name: string) => {
    await nav.getByRole("link", { name, exact: true }).click();
    const current = nav.locator("[aria-current=page]");
    assertEquals(await current.innerText(), name);
  };
  await page.goto("/");
  for (const name of ["Archive", "How the auction works", "Advertise"]) {
    await follow(name);
  }
  await see(page, "frame-visitor");
  await nav.getByRole("link", { name: "Sign in" }).click();
  await signInHere(world, page);
  await page.waitForURL("**/account");
  for (
    const name of [
      "Bids",
      "Ads",
      "Reports",
      "Cards",
      "Invoices",
      "Agents",
      "Settings",
    ]
  ) {
    await follow(name);
  }
  await see(page, "frame-advertiser");
  await context.clearCookies();
  await page.goto("/sign-in");
  await signInHere(world, page, OPERATOR);
  await page.waitForURL("**/operator");
  await see(page, "desk-quiet");
  for (
    const name of ["Review", "Accounts", "Money", "Hold", "Settings", "Desk"]
  ) {
    await follow(name);
  }
  assertEquals(unwanted(complaints), []);
});
