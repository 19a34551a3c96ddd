import { assert, assertEquals } from "@std/assert";
import type { BrowserContextOptions, Page } from "playwright-core";
import type Stripe from "stripe";
import { payer, withSimulator } from "../simulators/stripe/support.ts";
import {
  assertAccessible,
  assertFits,
  launchBrowser,
  openPage,
  picture,
} from "../support/chromium.ts";

/** The simulated processor's pages as different people meet them. */
const LOOKS: [name: string, options: BrowserContextOptions][] = [
  ["without JavaScript", { javaScriptEnabled: false }],
  ["on a phone, in the dark", {
    colorScheme: "dark",
    viewport: { width: 320, height: 640 },
  }],
];

/** A shop that people come back to. */
function openShop(): Deno.HttpServer<Deno.NetAddr> {
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  const headers = { "content-type": "text/html" };
  return Deno.serve(
    options,
    () => new Response("<h1>Back in the shop</h1>", { headers }),
  );
}

/** Runs a test with a simulator, a shop and a page of a browser. */
function withBrowser(
  options: BrowserContextOptions,
  run: (
    world: { stripe: Stripe; page: Page; shop: string },
  ) => Promise<void>,
): Promise<void> {
  return withSimulator(async ({ stripe }) => {
    await using server = openShop();
    const browser = await launchBrowser();
    try {
      const { page } = await openPage(browser, options);
      const shop = `http://127.0.0.1:${server.addr.port}`;
      await run({ stripe, page, shop });
    } finally {
      await browser.close();
    }
  });
}

async function look(page: Page, name: string): Promise<void> {
  await assertAccessible(page);
  await assertFits(page);
  await picture(page, name);
}

for (const [name, options] of LOOKS) {
  Deno.test(`a payer saves a card that asks the bank, ${name}`, () =>
    withBrowser(options, async ({ stripe, page, shop }) => {
      const { id: customer } = await stripe.customers.create();
      const session = await stripe.checkout.sessions.create({
        mode: "setup",
        currency: "eur",
        customer,
        success_url: `${shop}/done?session={CHECKOUT_SESSION_ID}`,
        cancel_url: `${shop}/cards`,
      });
      await page.goto(String(session.url));
      await look(page, `hosted-card-${name}`);
      await page.getByLabel("Or a test card's number").fill("4000000000000002");
      await page.getByRole("button", { name: "Save card" }).click();
      await page.getByRole("alert").waitFor();
      await look(page, `hosted-card-refused-${name}`);
      await page.getByLabel("Test card", { exact: true })
        .selectOption("authenticationRequiredOnSetup");
      await page.getByRole("button", { name: "Save card" }).click();
      await look(page, `hosted-bank-${name}`);
      await page.getByRole("button", { name: "Complete authentication" })
        .click();
      await page.waitForURL(`${shop}/done?session=${session.id}`);
      const { data } = await stripe.paymentMethods.list({ customer });
      assertEquals(data.map(({ card }) => card?.last4), ["3155"]);
    }));

  Deno.test(`a payer who thinks better of it leaves without a card, ${name}`, () =>
    withBrowser(options, async ({ stripe, page, shop }) => {
      const { url, id } = await stripe.checkout.sessions.create({
        mode: "setup",
        currency: "eur",
        success_url: `${shop}/done`,
        cancel_url: `${shop}/cards`,
      });
      await page.goto(String(url));
      await page.getByRole("link", { name: "Cancel and return" }).click();
      await page.waitForURL(`${shop}/cards`);
      const { status } = await stripe.checkout.sessions.retrieve(id);
      assertEquals(status, "open");
      await stripe.checkout.sessions.expire(id);
      await page.goto(String(url));
      await look(page, `hosted-expired-${name}`);
    }));

  Deno.test(`a person fails a check of identity and passes the next, ${name}`, () =>
    withBrowser(options, async ({ stripe, page, shop }) => {
      const { verificationSessions } = stripe.identity;
      const { id, url } = await verificationSessions.create({
        type: "document",
        return_url: `${shop}/identity`,
      });
      await page.goto(String(url));
      await look(page, `hosted-identity-${name}`);
      await page.getByLabel("Why it fails").selectOption("document_expired");
      await page.getByRole("button", { name: "Fail" }).click();
      await page.waitForURL(`${shop}/identity`);
      const failed = await verificationSessions.retrieve(id);
      assertEquals(failed.last_error?.code, "document_expired");
      await page.goto(String(url));
      await look(page, `hosted-used-${name}`);
      await page.goto(String(failed.url));
      await page.getByRole("button", { name: "Verify" }).click();
      await page.waitForURL(`${shop}/identity`);
      const { status } = await verificationSessions.retrieve(id);
      assertEquals(status, "verified");
    }));

  Deno.test(`a customer takes a card away in the portal, ${name}`, () =>
    withBrowser(options, async ({ stripe, page, shop }) => {
      const { customer } = await payer(stripe);
      const { url } = await stripe.billingPortal.sessions.create({
        customer,
        return_url: `${shop}/cards`,
      });
      await page.goto(url);
      await look(page, `hosted-portal-${name}`);
      await page.getByRole("button", { name: "Remove visa ending in 4242" })
        .click();
      await page.getByText("No cards are saved.").waitFor();
      await page.getByRole("link", { name: "Return to the seller" }).click();
      await page.waitForURL(`${shop}/cards`);
      const { data } = await stripe.paymentMethods.list({ customer });
      assert(data.length === 0);
    }));
}
