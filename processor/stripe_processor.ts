import type Stripe from "stripe";
import type { Processor } from "../domain/payments/processor.ts";
import { customerCalls } from "./customers.ts";
import { invoiceCalls } from "./invoices.ts";
import { paymentCalls } from "./payments.ts";

/**
 * The domain's processor over the `stripe` package. Nothing here knows whether
 * Stripe or the simulator answers.
 */
export function createStripeProcessor(stripe: Stripe): Processor {
  return {
    ...customerCalls(stripe),
    ...invoiceCalls(stripe),
    ...paymentCalls(stripe),
  };
}
