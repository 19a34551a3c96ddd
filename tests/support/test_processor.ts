/**
 * A simulator of a test's own, which tells nobody of what happens.
 *
 * @module
 */
import type { Clock } from "../../domain/ports.ts";
import { type Simulator, startSimulator } from "../../simulators/stripe/mod.ts";
import { createStripeClient } from "../../adapters/stripe/stripe_client.ts";
import type { StripeClient } from "../../adapters/stripe/stripe_client.ts";

/** A simulator, and the way to it. */
export interface TestProcessor {
  simulator: Simulator;
  secretKey: string;
  /** The SDK's view of its books. */
  stripe: StripeClient;
  /** The environment of a service that talks to it. */
  env: Record<string, string>;
}

/** Starts one by this clock and chance, the machine's unless told. */
export async function startTestProcessor(
  clock: Clock = { now: () => Date.now() },
  random: () => number = Math.random,
): Promise<TestProcessor> {
  const secretKey = "sk_test_processor_of_a_test";
  const simulator = await startSimulator({
    hostname: "127.0.0.1",
    port: 0,
    booksPath: null,
    secretKey,
    webhook: null,
    now: () => clock.now(),
    random,
  });
  const apiBase = simulator.url;
  return {
    simulator,
    secretKey,
    stripe: createStripeClient({ secretKey, apiBase }),
    env: { STRIPE_API_BASE: apiBase, STRIPE_SECRET_KEY: secretKey },
  };
}
