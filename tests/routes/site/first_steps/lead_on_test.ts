import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Account } from "../../../../domain/accounts/account.ts";
import { leadOn } from "../../../../routes/site/first_steps/lead_on.ts";
import { approvedCreative } from "../../../support/bidding_world.ts";
import {
  type BillingSite,
  openBillingSite,
} from "../../../support/billing_site.ts";
import { leadOf, unsealed } from "../../../support/led_to.ts";

async function change(
  { services }: BillingSite,
  changes: Partial<Account>,
): Promise<void> {
  await services.store.transact(async (tx) => {
    const account = await tx.accounts.find("acc_ada");
    if (account) tx.accounts.save({ ...account, ...changes });
  });
}

Deno.test("a card leads to the check of identity while that is the next step, and is saved on its page after", async () => {
  await using site = await openBillingSite();
  const browser = await site.onboarded("ada");
  const saved = async (card: string) => {
    return leadOf(await site.saveCard(browser, card));
  };
  assertEquals(unsealed(await saved("visa")), "/identity?done=card");
  await change(site, { identityStatus: "verified" });
  const back = await saved("mastercard");
  assertEquals(unsealed(back), "/billing?done=saved");
  assertStringIncludes(await site.textOf(browser, back), "The card was saved.");
});

Deno.test("leadOn() leads to the step behind the one that was taken, and nowhere where another is left", async () => {
  await using site = await openBillingSite();
  const { services } = site;
  await site.onboarded("ada");
  const accountId = "acc_ada";
  const company = { accountId, here: "/onboarding", step: "company" } as const;
  const card = { accountId, here: "/billing", step: "card" } as const;
  const identity = { accountId, here: "/identity", step: "identity" } as const;
  assertEquals(await leadOn(services, company), {
    path: "/billing",
    done: "company",
  });
  assertEquals(await leadOn(services, card), null, "no card is saved");
  // What the processor told of the card may have come before the browser.
  await change(site, { defaultPaymentMethodId: "pm_1" });
  assertEquals(await leadOn(services, card), {
    path: "/identity",
    done: "card",
  });
  assertEquals(await leadOn(services, company), null);
  await change(site, { identityStatus: "verified" });
  assertEquals(
    await leadOn(services, identity),
    { path: "/creatives/new", done: "identity" },
  );
  await services.store.transact((tx) => {
    tx.creatives.save({ ...approvedCreative("ada"), accountId });
  });
  assertEquals(await leadOn(services, identity), null, "only the bid is left");
  const nobody = { ...identity, accountId: "acc_nobody" };
  assertEquals(await leadOn(services, nobody), null);
});
