/**
 * Every event that leads anywhere, in full, as the pinned API version sends it.
 *
 * @module
 */
import type Stripe from "stripe";
import { accountPayloads } from "./account_payloads.ts";
import { pagePayloads } from "./checkout_session_payloads.ts";
import { disputePayloads } from "./dispute_payloads.ts";
import type { Payloads } from "./envelope.ts";
import { invoicePayloads } from "./invoice_payloads.ts";
import { intentPayloads } from "./payment_intent_payloads.ts";
import { refundPayloads } from "./refund_payloads.ts";
import { setupPayloads } from "./setup_intent_payloads.ts";
import { transferPayloads } from "./transfer_payloads.ts";
import { sessionPayloads } from "./verification_session_payloads.ts";

/** How names of events begin that lead anywhere. */
type LeadingForm =
  | `invoice.${string}`
  | `payment_intent.${string}`
  | `charge.dispute.${string}`
  | `identity.verification_session.${string}`
  | `setup_intent.${string}`
  | `checkout.session.${string}`
  | `refund.${string}`
  | `transfer.${string}`
  | "account.updated";

/** The name of one that leads anywhere. */
export type LeadingType = Extract<Stripe.Event["type"], LeadingForm>;

/** Every one of them, as it happened to the object of that id. */
export function payloadsOf(id: string): Payloads<LeadingForm> {
  return {
    ...invoicePayloads(id),
    ...intentPayloads(id),
    ...disputePayloads(id),
    ...sessionPayloads(id),
    ...setupPayloads(id),
    ...pagePayloads(id),
    ...refundPayloads(id),
    ...transferPayloads(id),
    ...accountPayloads(id),
  };
}

/** One of them. */
export function payloadOf<T extends LeadingType>(
  type: T,
  id: string,
): Payloads<LeadingForm>[T] {
  return payloadsOf(id)[type];
}
