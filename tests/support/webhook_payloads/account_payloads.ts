import type Stripe from "stripe";
import { ENVELOPE, type Payloads } from "./envelope.ts";

/** The event of a partner's account whose set-up went on, in full. */
export function accountPayloads(id: string): Payloads<"account.updated"> {
  const account: Stripe.Account = {
    id,
    object: "account",
    business_type: "individual",
    capabilities: { transfers: "active" },
    charges_enabled: false,
    country: "AT",
    created: 1_795_176_000,
    default_currency: "eur",
    details_submitted: true,
    email: "grace@newsletter.example",
    metadata: {},
    payouts_enabled: true,
    requirements: {
      alternatives: [],
      current_deadline: null,
      currently_due: [],
      disabled_reason: null,
      errors: [],
      eventually_due: [],
      past_due: [],
      pending_verification: [],
    },
    type: "express",
  };
  return {
    "account.updated": {
      ...ENVELOPE,
      account: id,
      type: "account.updated",
      data: {
        object: account,
        previous_attributes: { payouts_enabled: false },
      },
    },
  };
}
