import type { Processor } from "../../domain/payments/processor.ts";
import { createStripeProcessor } from "../../adapters/stripe/stripe_processor.ts";
import { startTestProcessor } from "./test_processor.ts";

/** A processor that answers and knows of nothing. */
export async function openEmptyBooks(): Promise<
  { processor: Processor } & AsyncDisposable
> {
  const { simulator, stripe } = await startTestProcessor();
  return {
    processor: createStripeProcessor(stripe),
    [Symbol.asyncDispose]: () => simulator.stop(),
  };
}
