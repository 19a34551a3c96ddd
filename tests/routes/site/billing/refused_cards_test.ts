/** What `/billing` shows and does once a card was refused. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { markRefused } from "../../../../domain/cards/mark_refused.ts";
import { openBillingSite } from "../../../support/billing_site.ts";
import { leadOf } from "../../../support/led_to.ts";
import { act, bidByDefault, locationOf, withCards } from "./cards_site.ts";

Deno.test("/billing marks a refused card and does not charge it again", async () => {
  await using site = await openBillingSite();
  const { browser, visa, mastercard } = await withCards(site);
  await site.services.store.transact(async (tx) => {
    const account = await tx.accounts.find("acc_ada");
    if (account) tx.accounts.save({ ...account, cardRefused: true });
    const card = await tx.paymentMethods.find("acc_ada", visa);
    if (card) tx.paymentMethods.save({ ...card, refusedAtMs: 1 });
  });
  const before = await site.textOf(browser, "/billing");
  assertStringIncludes(before, "You can’t bid for now");
  assertStringIncludes(before, "Expires 12/2029, was refused");
  await act(browser, "default", mastercard);
  assert(!(await site.textOf(browser, "/billing")).includes("You can’t bid"));
  const again = await act(browser, "default", visa);
  assertEquals(again.status, 409);
  assertStringIncludes(
    await again.text(),
    "Use another card; saving this one again does not help",
  );
});

Deno.test("/billing offers the card that is charged already while another was refused, and using it ends that", async () => {
  await using site = await openBillingSite();
  const { browser, visa, mastercard } = await withCards(site);
  const offers = async () => {
    const page = await (await browser.get("/billing")).text();
    const forms = page.split('action="/billing/default"').slice(1);
    return forms.map((form) => /value="(pm_[^"]+)"/.exec(form)?.[1]);
  };
  assertEquals(await offers(), [mastercard]);
  await site.services.store.transact(async (tx) => {
    const account = await tx.accounts.find("acc_ada");
    if (account === null) throw new TypeError("Not there");
    await markRefused(tx, account, { paymentMethodId: mastercard, nowMs: 1 });
  });
  assertEquals(await offers(), [visa]);
  const before = await site.textOf(browser, "/billing");
  assertStringIncludes(before, "use one that you have for future bids");
  const answer = await act(browser, "default", visa);
  assertEquals(await locationOf(answer), "/billing?done=chosen");
  const after = await site.textOf(browser, leadOf(answer));
  assert(!after.includes("You can’t bid"));
  assertStringIncludes(after, "Visa ending in 4242 – charged");
  assertEquals(await offers(), []);
});

Deno.test("/billing says how a bid leaves a refused card, once another is charged", async () => {
  await using site = await openBillingSite();
  const { browser, visa, mastercard } = await withCards(site);
  await bidByDefault(site, browser);
  await site.services.store.transact(async (tx) => {
    const account = await tx.accounts.find("acc_ada");
    if (account === null) throw new TypeError("Not there");
    await markRefused(tx, account, { paymentMethodId: visa, nowMs: 1 });
  });
  const words = "A bid that you raise moves to the card for future bids.";
  const before = await site.textOf(browser, "/billing");
  assert(!before.includes(words));
  await act(browser, "default", mastercard);
  assertStringIncludes(await site.textOf(browser, "/billing"), words);
});
