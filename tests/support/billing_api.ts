/**
 * The agent API over a processor that answers: the simulator over HTTP.
 *
 * @module
 */
import type { Scope } from "../../domain/oauth/grant.ts";
import { syncCards } from "../../domain/cards/sync_cards.ts";
import { createStripeProcessor } from "../../adapters/stripe/stripe_processor.ts";
import type { Simulator } from "../../simulators/stripe/mod.ts";
import { type AgentApi, openAgentApi } from "./agent_api.ts";
import { type Agent, readyAccount } from "./bidding_world.ts";
import { ManualClock } from "./clock.ts";
import { startTestProcessor } from "./test_processor.ts";

const BILLING: readonly Scope[] = ["billing:read", "billing:write"];

/** The API of one test, with its processor. */
export interface BillingApi extends AgentApi {
  simulator: Simulator;
  /** An agent of a company with these test cards at the processor. */
  billing(
    name: string,
    cards?: readonly string[],
    scopes?: readonly Scope[],
  ): Promise<Agent>;
  /** The ids of a company's cards, by their last four digits. */
  ids(agent: Agent): Promise<Record<string, string>>;
}

/** Opens the API with the auction open. */
export async function openBillingApi(): Promise<BillingApi> {
  const clock = new ManualClock();
  const { simulator, stripe } = await startTestProcessor(clock);
  const processor = createStripeProcessor(stripe);
  const api = await openAgentApi({ clock }, { processor });
  const services = { ...api.world.services, processor };
  return {
    ...api,
    simulator,
    async billing(name, cards = ["visa", "mastercard"], scopes = BILLING) {
      const { id } = await stripe.customers.create({ name });
      const agent = await api.world.agent(name, {
        scopes,
        account: {
          ...readyAccount(name),
          processorCustomerId: id,
          defaultPaymentMethodId: null,
        },
      });
      const { id: accountId } = agent.account;
      await services.store.transact(async (tx) => {
        // The world's own card is at no processor.
        const card = await tx.paymentMethods.find(accountId, agent.cardId);
        if (card) tx.paymentMethods.remove(card);
      });
      for (const card of cards) {
        const customer = { customer: id };
        await stripe.paymentMethods.attach(`pm_card_${card}`, customer);
        await syncCards(services, { accountId });
        clock.advance(1_000);
      }
      return agent;
    },
    async ids({ account }) {
      const { store } = services;
      const all = await store.listPaymentMethods(account.id, { limit: 100 });
      return Object.fromEntries(all.map(({ last4, id }) => [last4, id]));
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await simulator.stop();
    },
  };
}
