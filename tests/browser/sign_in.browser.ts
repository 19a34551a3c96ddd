import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { ADA, PHONE, see } from "../support/advertiser_browser.ts";
import {
  addVirtualAuthenticator,
  assertAccessible,
  type BrowserWorld,
  mailedLink,
  openBrowserWorld,
  picture,
} from "../support/chromium.ts";

/** Asks for a code and follows the link of the mail in the same browser. */
async function signIn(world: BrowserWorld, page: Page): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail address").fill(ADA);
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.waitForURL("**/sign-in/verify");
  // Only the fragment differs, which alone would load nothing.
  await page.goto("about:blank");
  await page.goto(await mailedLink(world, ADA));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/account");
}

Deno.test("a person signs in by the link in the mail", async () => {
  await using world = await openBrowserWorld();
  const { page, complaints } = await world.open();
  await page.goto("/");
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("E-mail address").fill(ADA);
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.waitForURL("**/sign-in/verify");
  const link = await mailedLink(world, ADA);
  await page.goto("about:blank");
  await page.goto(link);
  const field = page.getByLabel("Code of 8 digits");
  assertEquals(await field.inputValue(), link.slice(-8));
  assertEquals(new URL(page.url()).hash, "");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/account");
  assertMatch(await page.innerText("main"), /signed in as ada@example\.com/);
  await page.goto("/");
  assertEquals(await page.getByRole("link", { name: "Settings" }).count(), 1);
  assertEquals(complaints, []);
});

Deno.test("a person signs in and out without JavaScript", async () => {
  await using world = await openBrowserWorld();
  const { page } = await world.open({ javaScriptEnabled: false });
  await page.goto("/account");
  assertMatch(page.url(), /\/sign-in$/);
  assertEquals(await page.getByText("use a passkey").isVisible(), false);
  await page.getByLabel("E-mail address").fill(ADA);
  await page.getByRole("button", { name: "Send me a code" }).click();
  const code = (await mailedLink(world, ADA)).slice(-8);
  await page.getByLabel("Code of 8 digits").fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/account");
  await page.getByRole("link", { name: "Settings" }).first().click();
  assertMatch(await page.innerText("main"), /needs JavaScript/);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.waitForURL(`${world.baseUrl}/?done=signed-out`);
  // Only that this browser is known stays: it signs nobody in.
  const left = await page.context().cookies();
  assertEquals(left.map(({ name }) => name), ["svc_device"]);
  await page.goto("/account");
  assertMatch(page.url(), /\/sign-in$/);
});

Deno.test("a wrong code is said and can be put right", async () => {
  await using world = await openBrowserWorld();
  const { page, complaints } = await world.open();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail address").fill(ADA);
  await page.getByRole("button", { name: "Send me a code" }).click();
  const code = (await mailedLink(world, ADA)).slice(-8);
  const wrong = code.replace(/^./, (digit) => digit === "9" ? "0" : "9");
  await page.getByLabel("Code of 8 digits").fill(wrong);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("That is not the code. You have 4 tries left.")
    .waitFor();
  const focused = await page.evaluate("document.activeElement.id");
  assertEquals(focused, "code", "the next try can be typed at once");
  await assertAccessible(page);
  await picture(page, "code-wrong");
  await page.getByLabel("Code of 8 digits").fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/account");
  // Chromium reports an answer of 400 as an error of its own.
  assertEquals(complaints.filter((text) => !text.includes("400")), []);
});

Deno.test("a passkey is added, signs in by its button, is renamed and removed", async () => {
  await using world = await openBrowserWorld({ isAlone: true });
  const { page, complaints } = await world.open();
  await addVirtualAuthenticator(page);
  await signIn(world, page);
  await page.goto("/settings");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.waitForURL("**/settings?done=passkey-added.*");
  await assertAccessible(page);
  await picture(page, "account-passkey");
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.waitForURL(`${world.baseUrl}/?done=signed-out`);
  await page.addInitScript(
    "PublicKeyCredential.isConditionalMediationAvailable = async () => false",
  );
  await page.goto("/sign-in?next=/settings%3Fby=button");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL("**/settings?by=button");
  await page.getByText("Change passkey").click();
  await page.getByLabel("Name").fill("My laptop");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.waitForURL("**/settings?done=passkey-renamed.*");
  await page.getByText("Change passkey My laptop").click();
  await picture(page, "account-change");
  await assertAccessible(page);
  await page.getByRole("button", { name: "Remove passkey My laptop" }).click();
  await page.waitForURL("**/settings?done=passkey-removed.*");
  assertEquals(await page.getByText("My laptop").count(), 0);
  assertEquals(complaints, []);
});

Deno.test("a passkey signs in from the field for the e-mail address", async () => {
  await using world = await openBrowserWorld({ isAlone: true });
  const { page, complaints } = await world.open();
  await addVirtualAuthenticator(page);
  await signIn(world, page);
  await page.goto("/settings");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.waitForURL("**/settings?done=passkey-added.*");
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.waitForURL(`${world.baseUrl}/?done=signed-out`);
  // The device is willing at once: nothing has to be pressed.
  await page.goto("/sign-in?next=/account%3Fby=field");
  await page.waitForURL("**/account?by=field");
  assertEquals(complaints, []);
});

Deno.test("the browser refuses a change that another site asks for", async () => {
  await using world = await openBrowserWorld();
  const { page, context } = await world.open();
  await signIn(world, page);
  const evil = await context.newPage();
  await evil.route("http://127.0.0.1:9/", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<form method="post" action="${world.baseUrl}/settings/sign-out">` +
        "<button>Win a prize</button></form>",
    }));
  await evil.goto("http://127.0.0.1:9/");
  await evil.getByRole("button").click();
  await evil.waitForURL("**/settings/sign-out");
  assertMatch(await evil.innerText("h1"), /did not come from our page/);
  await page.goto("/account");
  assertMatch(page.url(), /\/account$/);
});

Deno.test("sign-in and account are accessible and fit", async () => {
  await using world = await openBrowserWorld();
  const { page, complaints } = await world.open(PHONE);
  await addVirtualAuthenticator(page);
  await page.goto("/sign-in/verify");
  await see(page, "no-code");
  await page.goto("/sign-in");
  await see(page, "sign-in");
  await page.getByLabel("E-mail address").fill(ADA);
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.waitForURL("**/sign-in/verify");
  await see(page, "code");
  const code = (await mailedLink(world, ADA)).slice(-8);
  await page.getByLabel("Code of 8 digits").fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/account");
  await see(page, "account-first");
  await page.goto("/settings");
  await see(page, "settings-first");
  assertEquals(complaints, []);
});
