/**
 * A service and a browser that look at each other, with a processor whose pages
 * the browser visits, and which tells the service of what happens there.
 *
 * @module
 */
import { saveCompany } from "../../domain/accounts/save_company.ts";
import type { Clock } from "../../domain/ports.ts";
import type { Simulator } from "../../simulators/stripe/mod.ts";
import { ADA } from "./advertiser_browser.ts";
import { type BrowserWorld, openBrowserWorld } from "./chromium.ts";
import { startTestProcessor } from "./test_processor.ts";

const WEBHOOK_SECRET = "whsec_of_the_processor_browser";

/** The world of one test. */
export interface ProcessorBrowser extends BrowserWorld {
  simulator: Simulator;
  /** The account of whoever has signed in. */
  accountId(email?: string): Promise<string>;
  /** Names the company of whoever has signed in. */
  onboard(email?: string): Promise<string>;
}

/** Starts all three, by the machine's clock unless told another. */
export async function openProcessorBrowser(
  clock?: Clock,
): Promise<ProcessorBrowser> {
  const { simulator, env } = await startTestProcessor(clock);
  const world = await openBrowserWorld({
    env: { ...env, STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET },
    ...clock && { clock },
  });
  const { authUrl } = world.running.config.settings;
  const url = `${authUrl}/webhooks/stripe`;
  simulator.control.webhooks.setTarget({ url, secret: WEBHOOK_SECRET });
  const { services } = world.running.service.core;
  const accountId = async (email = ADA) => {
    const found = await services.store.accountEmails.find(email);
    if (found === null) throw new TypeError(`${email} has not signed in`);
    return found.accountId;
  };
  return {
    ...world,
    simulator,
    accountId,
    async onboard(email) {
      const id = await accountId(email);
      const address = { line1: "Main 1", city: "Berlin", postalCode: "10115" };
      const company = { name: "Ada GmbH", country: "DE", vatId: null, address };
      await saveCompany(services, { accountId: id, company });
      return id;
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await simulator.stop();
    },
  };
}
