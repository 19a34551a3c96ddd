/**
 * The pages of advertisers over a processor that answers: the simulator over
 * HTTP, whose pages a browser without scripts fills in.
 *
 * @module
 */
import type { Account } from "../../domain/accounts/account.ts";
import { hostedPageOrigins } from "../../adapters/stripe/hosted_pages.ts";
import { createStripeProcessor } from "../../adapters/stripe/stripe_processor.ts";
import type { Simulator } from "../../simulators/stripe/mod.ts";
import { submit } from "../simulators/stripe/browser.ts";
import {
  type AdvertiserSite,
  openAdvertiserSite,
  type SignedInBrowser,
} from "./advertiser_site.ts";
import { ManualClock } from "./clock.ts";
import { startTestProcessor } from "./test_processor.ts";

/** The site of one test, with its processor. */
export interface BillingSite extends AdvertiserSite {
  simulator: Simulator;
  /** A browser of an onboarded company without cards. */
  onboarded(name: string): Promise<SignedInBrowser>;
  /** Begins a set-up, gives a test card and follows the way back. */
  saveCard(browser: SignedInBrowser, card?: string): Promise<Response>;
  /** A page of ours as text. */
  textOf(browser: SignedInBrowser, path: string): Promise<string>;
}

/** What an onboarded company has. */
export const ONBOARDED: Partial<Account> = {
  company: {
    name: "Ada GmbH",
    country: "DE",
    vatId: "DE123456789",
    address: { line1: "Hauptstraße 1", city: "Berlin", postalCode: "10115" },
  },
  vatStatus: "valid",
};

/**
 * Opens the site and its processor.
 *
 * @param hostedPages the origins our forms may lead to; the simulator's
 */
export async function openBillingSite(
  hostedPages?: readonly string[],
): Promise<BillingSite> {
  const clock = new ManualClock();
  const { simulator, stripe } = await startTestProcessor(clock);
  const processor = createStripeProcessor(stripe);
  const site = await openAdvertiserSite(
    { clock },
    { processor },
    hostedPages ?? hostedPageOrigins(simulator.url),
  );
  return {
    ...site,
    simulator,
    onboarded: (name) => site.browser(name, ONBOARDED),
    saveCard,
    async textOf(browser, path) {
      const html = await (await browser.get(path)).text();
      return html.replaceAll(/<[^>]+>/g, "").replaceAll(/\s+/g, " ");
    },
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await simulator.stop();
    },
  };
}

async function saveCard(
  browser: SignedInBrowser,
  card = "visa",
): Promise<Response> {
  const begun = await browser.post("/billing/set-up", "");
  const page = begun.headers.get("location") ?? "";
  const { location } = await submit(page, { card });
  const back = new URL(location ?? page);
  return await browser.get(`${back.pathname}${back.search}`);
}
