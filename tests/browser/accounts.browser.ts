import { assertEquals, assertMatch } from "@std/assert";
import type { Account } from "../../domain/accounts/account.ts";
import { newAccount } from "../../domain/accounts/new_account.ts";
import type { Services } from "../../domain/ports.ts";
import {
  ADA,
  PHONE,
  see,
  signInHere,
  unwanted,
} from "../support/advertiser_browser.ts";
import { openBrowserWorld } from "../support/chromium.ts";

const VAT_ID = "DE123456111";

/** A company with everything that can wait for an operator. */
function troubled(): Account {
  return {
    ...newAccount("acc_ada", ADA, 0),
    company: {
      name: "Ada & Söhne Backwarenmanufaktur GmbH",
      country: "DE",
      vatId: VAT_ID,
      address: { line1: "Weg 1", city: "Berlin", postalCode: "10115" },
    },
    vatCheck: {
      vatId: VAT_ID,
      outcome: "valid",
      atMs: 1_763_000_000_000,
      consultation: null,
      name: "MUSTERFIRMA GMBH",
      failures: 0,
      dueAtMs: 0,
    },
    vatCase: {
      vatId: VAT_ID,
      why: "name",
      name: "Ada & Söhne Backwarenmanufaktur GmbH",
      sinceMs: 1,
    },
    rename: { name: "مخبز آدا", askedAtMs: 2 },
    identityStatus: "verified",
    defaultPaymentMethodId: "pm_1",
    disputeOpen: true,
    blockingDisputes: ["du_1"],
    lostDisputes: ["du_1"],
    disputeLostAtMs: 3,
  };
}

function saveTroubled({ store }: Services): Promise<void> {
  return store.transact((tx) => tx.accounts.save(troubled()));
}

Deno.test("an operator suspends an account and its owner reads why", async () => {
  await using world = await openBrowserWorld();
  await saveTroubled(world.running.service.core.services);
  const { page, complaints } = await world.open(PHONE);
  await page.goto("/operator/accounts");
  await signInHere(world, page, "operator@example.com");
  await page.waitForURL("**/operator/accounts");
  await see(page, "accounts");
  await page.getByLabel("Find an account").fill(ADA);
  await page.getByRole("button", { name: "Find" }).click();
  await page.waitForURL("**/operator/accounts/acc_ada");
  await page.getByText("Suspend the account").first().click();
  await see(page, "account-of-desk");
  await page.getByLabel("Reason").first().fill("Orders were not delivered.");
  await page.getByRole("button", { name: "Suspend the account" }).click();
  await page.getByRole("heading", { name: "Suspend the account?" }).waitFor();
  await see(page, "account-confirm");
  await page.getByRole("button", { name: "Suspend the account" }).click();
  await page.waitForURL("**/operator/accounts/acc_ada?done=suspend.*");
  await see(page, "account-suspended-desk");
  const owner = await world.open(PHONE);
  await owner.page.goto("/account");
  await signInHere(world, owner.page);
  await owner.page.waitForURL("**/account");
  const text = await owner.page.innerText("main");
  assertMatch(text, /Why: Orders were not delivered\./);
  await see(owner.page, "account-suspended");
  await owner.page.goto("/onboarding");
  assertMatch(await owner.page.innerText("main"), /An operator now compares/);
  await see(owner.page, "onboarding-waiting");
  await owner.page.goto("/billing");
  await see(owner.page, "billing-lost");
  assertEquals(unwanted([...complaints, ...owner.complaints]), []);
});

Deno.test("an operator decides about a name and a VAT id without JavaScript", async () => {
  await using world = await openBrowserWorld();
  const { services } = world.running.service.core;
  await saveTroubled(services);
  const { page } = await world.open({ javaScriptEnabled: false });
  await page.goto("/operator/accounts/acc_ada");
  await signInHere(world, page, "operator@example.com");
  for (const act of ["Approve the new name", "Approve the VAT id"]) {
    await page.goto("/operator/accounts/acc_ada");
    const form = page.locator("details", { hasText: act });
    await form.locator("summary").click();
    await form.getByLabel("Reason").fill("Looked up.");
    await form.getByRole("button", { name: act }).click();
    await page.getByRole("heading", { name: `${act}?` }).waitFor();
    await page.getByRole("button", { name: act }).click();
    await page.getByRole("status").waitFor();
  }
  const ada = await services.store.accounts.find("acc_ada");
  assertEquals([ada?.company?.name, ada?.vatStatus], ["مخبز آدا", "valid"]);
});
