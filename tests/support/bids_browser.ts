/**
 * Somebody who may bid, at a browser.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { openAuction } from "../../domain/auction/open_auction.ts";
import { addDays, dayOf } from "../../domain/day.ts";
import { ADA, signInHere } from "./advertiser_browser.ts";
import { approvedCreative, readyAccount } from "./bidding_world.ts";
import type { BrowserWorld } from "./chromium.ts";

/** Signs in and comes to the bids from the account's page. */
export async function arrive(world: BrowserWorld, page: Page): Promise<void> {
  const { services } = world.running.service.core;
  // Tomorrow's too: today's may have closed when the test runs.
  const today = dayOf(services.clock.now());
  for (const ahead of [0, 1]) {
    await openAuction(services, { day: addDays(today, ahead) });
  }
  await page.goto("/account");
  await signInHere(world, page);
  await page.getByRole("link", { name: "Bids", exact: true }).click();
  await page.waitForURL("**/bids");
}

/** Has whoever has signed in pass all that comes before a bid. */
export async function makeReady({ running }: BrowserWorld): Promise<void> {
  const { store, clock } = running.service.core.services;
  const accountId = (await store.accountEmails.find(ADA))?.accountId ?? "";
  await store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    assert(account !== null);
    const { id, email } = account;
    tx.accounts.save({ ...readyAccount("ada"), ...account, ...ready(id) });
    tx.creatives.save({
      ...approvedCreative("ada"),
      accountId: id,
      headline: "Lamps that never blind, made in Berlin",
    });
    tx.paymentMethods.save({
      id: "pm_ada",
      accountId: id,
      fingerprint: null,
      brand: "visa",
      last4: "4242",
      expMonth: 12,
      expYear: 2099,
      createdAtMs: clock.now(),
    });
    assertEquals(email, ADA);
  });
}

function ready(id: string) {
  const { email: _email, ...rest } = readyAccount("ada");
  return { ...rest, id };
}
