import { assert, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import type { Account } from "../../domain/accounts/account.ts";
import { openAuction } from "../../domain/auction/open_auction.ts";
import { addDays, dayOf } from "../../domain/day.ts";
import { createGrant } from "../../tools/demo/create_grant.ts";
import { ADA, PHONE, see, signInHere } from "../support/advertiser_browser.ts";
import { approvedCreative, readyAccount } from "../support/bidding_world.ts";
import { type BrowserWorld, openBrowserWorld } from "../support/chromium.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";

const LONG = "x".repeat(60);

/** Changes the account of whoever has signed in. */
async function change(
  { running }: BrowserWorld,
  changes: Partial<Account>,
): Promise<string> {
  const { store } = running.service.core.services;
  const accountId = (await store.accountEmails.find(ADA))?.accountId ?? "";
  await store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    assert(account !== null);
    tx.accounts.save({ ...account, ...changes });
  });
  return accountId;
}

/** Gives the account all there is to see of it, in long and foreign words. */
async function fill(world: BrowserWorld): Promise<void> {
  const { services } = world.running.service.core;
  const { store, clock } = services;
  const nowMs = clock.now();
  const today = dayOf(nowMs);
  for (const ahead of [0, 1]) {
    await openAuction(services, { day: addDays(today, ahead) });
  }
  const { id: _, email: __, ...ready } = readyAccount("ada");
  assert(ready.company);
  const company = { ...ready.company, name: `مصابيح برلين ${LONG}` };
  const accountId = await change(world, { ...ready, company });
  const won = addDays(today, -1);
  await settle(store, spotlight(won, { accountId, headline: LONG }));
  await store.transact((tx) => {
    tx.creatives.save({
      ...approvedCreative("ada"),
      accountId,
      headline: LONG,
    });
    for (const ahead of [-1, 0, 1]) {
      tx.bids.save({
        id: `bid_${ahead + 2}`,
        day: addDays(today, ahead),
        accountId,
        adId: "ad_ada",
        amountCents: 100_000,
        status: "active",
        placedAtMs: nowMs,
        paymentMethodId: "pm_ada",
        grantId: null,
      });
    }
    tx.clickCounts.add(312, won, "outcome", "human");
  });
  for (const [nth, name] of ["Bid Agent", `وكيل ${LONG}`].entries()) {
    await createGrant(services, {
      accountId,
      clientId: `client_${nth}`,
      clientName: name,
      scopes: ["account:read", "bids:write"],
      mandate: {
        maxBidCents: 50_000,
        dailyCapCents: 100_000,
        validUntilMs: nowMs + 30 * 86_400_000,
      },
    });
  }
}

async function arrive(page: Page, world: BrowserWorld): Promise<void> {
  await page.goto("/account");
  await signInHere(world, page);
  await page.waitForURL("**/account");
}

Deno.test("the dashboard is seen empty, full and in trouble", async () => {
  await using world = await openBrowserWorld();
  const { page } = await world.open(PHONE);
  await arrive(page, world);
  await see(page, "dashboard-empty");
  await page.getByRole("link", { name: "Enter your company" }).click();
  await page.waitForURL("**/onboarding");
  await fill(world);
  await page.goto("/account");
  assertMatch(await page.innerText("main"), /EUR 1,000\.00/);
  await see(page, "dashboard-full");
  await page.goto("/settings");
  await see(page, "settings");
  await page.getByRole("link", { name: "Sign out everywhere" }).click();
  await see(page, "sign-out");
  await page.getByRole("link", { name: "Stay signed in" }).click();
  await page.waitForURL("**/settings");
  await change(world, {
    suspendedAtMs: Date.now(),
    suspensionReason: `Orders were not delivered: ${LONG}`,
    cardRefused: true,
    disputeOpen: true,
    blockingDisputes: [],
  });
  await page.goto("/account");
  assertMatch(await page.innerText("main"), /Your account is suspended/);
  await see(page, "dashboard-trouble");
});

for (const javaScriptEnabled of [true, false]) {
  Deno.test(`an address is changed by both codes: ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
    await using world = await openBrowserWorld();
    const { page } = await world.open({
      javaScriptEnabled,
      ...PHONE,
    });
    const look = javaScriptEnabled ? "phone" : "plain";
    await arrive(page, world);
    await page.goto("/settings");
    await page.getByRole("link", { name: "Change the address" }).click();
    await see(page, `email-${look}`);
    await page.getByLabel("New e-mail address").fill("ada@lamps.example");
    await page.getByRole("button", { name: "Mail both codes" }).click();
    const wrong = page.getByLabel("Code sent to ada@lamps.example");
    await wrong.fill("1234");
    await page.getByLabel(`Code sent to ${ADA}`).fill("1234");
    await page.getByRole("button", { name: "Change the address" }).click();
    await page.getByRole("alert").waitFor();
    await see(page, `email-codes-${look}`);
    const { store } = world.running.service.core.services;
    const mails = await store.listMails({ limit: 9, reverse: true });
    for (const to of [ADA, "ada@lamps.example"]) {
      const mail = mails.find((each) =>
        each.to === to && each.kind === "email_change"
      );
      const code = /\d{4} \d{4}/.exec(mail?.text ?? "")?.[0] ?? "";
      await page.getByLabel(`Code sent to ${to}`).fill(code);
    }
    await page.getByRole("button", { name: "Change the address" }).click();
    await page.waitForURL("**/settings?done=email.*");
    assertMatch(await page.innerText("main"), /ada@lamps\.example/);
  });
}
