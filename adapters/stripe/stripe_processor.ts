import type { Processor } from "../../domain/payments/processor.ts";
import { booksCalls } from "./books.ts";
import { cardCalls } from "./cards.ts";
import { clockCalls } from "./clock.ts";
import { creditNoteCalls } from "./credit_notes.ts";
import { customerCalls } from "./customers.ts";
import { disputeCalls } from "./disputes.ts";
import { identityCalls } from "./identity.ts";
import { invoiceCalls } from "./invoices.ts";
import { partnerCalls } from "./partners.ts";
import { paymentCalls } from "./payments.ts";
import type { StripeClient } from "./stripe_client.ts";

/**
 * The domain's processor over the `stripe` package. Nothing here knows whether
 * Stripe or the simulator answers.
 */
export function createStripeProcessor(stripe: StripeClient): Processor {
  return {
    ...booksCalls(stripe),
    ...cardCalls(stripe),
    ...clockCalls(stripe),
    ...creditNoteCalls(stripe),
    ...customerCalls(stripe),
    ...disputeCalls(stripe),
    ...identityCalls(stripe),
    ...invoiceCalls(stripe),
    ...partnerCalls(stripe),
    ...paymentCalls(stripe),
  };
}
