/**
 * A new payment method.
 *
 * @module
 */

import type { Call } from "./call.ts";
import { showCard } from "./cards.ts";
import type { BillingDetails, PaymentMethod } from "./objects.ts";

/** Nothing is known of who pays. */
const NO_DETAILS: BillingDetails = {
  address: null,
  email: null,
  name: null,
  phone: null,
  tax_id: null,
};

/**
 * Makes a card that is attached to nobody.
 *
 * @param behaviour what it does when charged, see `cards.ts`
 */
export function newPaymentMethod(
  call: Call,
  behaviour: string,
  given: Partial<PaymentMethod> = {},
): PaymentMethod {
  const id = call.newId("pm");
  call.put("card_behaviour", { id, behaviour });
  return call.put("payment_method", {
    id,
    object: "payment_method",
    allow_redisplay: "unspecified",
    billing_details: NO_DETAILS,
    card: given.card ?? showCard(behaviour, call.now),
    created: call.now,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: "card",
    ...given,
  });
}
