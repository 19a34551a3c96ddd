/**
 * Sessions of the hosted page on which a card is saved.
 *
 * @module
 */

import type { Call } from "./call.ts";
import { endHostedPages, newHostedPage } from "./hosted_page.ts";
import type { CheckoutSession, PaymentMethod, SetupIntent } from "./objects.ts";
import {
  attemptSetup,
  cancelSetup,
  newSetupIntent,
  resolveSetup,
} from "./setup_intent.ts";

/** What a session is made with. */
export type NewCheckout =
  & Pick<CheckoutSession, "expires_at" | "success_url">
  & Partial<CheckoutSession>
  & { intent: Partial<SetupIntent> };

/** Opens a session with its page and its intent. */
export function newCheckout(
  call: Call,
  { intent, ...given }: NewCheckout,
): CheckoutSession {
  const id = call.newId("cs_test");
  const customer = given.customer ?? null;
  const setup = newSetupIntent(call, { ...intent, customer });
  const url = newHostedPage(call, {
    kind: "checkout",
    subject: id,
    expires_at: given.expires_at,
    return_url: given.cancel_url ?? null,
  });
  return call.put("checkout_session", {
    id,
    ...emptyCheckout(),
    ...given,
    created: call.now,
    customer,
    setup_intent: setup.id,
    url,
  });
}

/**
 * The session as it is now. That its time is up shows when it is next looked
 * at.
 *
 * @throws {ApiError} `resource_missing`
 */
export function currentCheckout(call: Call, id: string): CheckoutSession {
  const session = call.get("checkout_session", id);
  const isOver = session.status === "open" && session.expires_at <= call.now;
  return isOver ? expireCheckout(call, session) : session;
}

/** Ends an open session without a card. */
export function expireCheckout(
  call: Call,
  session: CheckoutSession,
): CheckoutSession {
  const expired = close(call, session, "expired");
  const intent = call.get("setup_intent", session.setup_intent);
  cancelSetup(call, intent, "abandoned");
  call.emit("checkout.session.expired", expired);
  return expired;
}

/**
 * The payer gives a card.
 *
 * @returns the intent as it then is; the session is complete unless the card
 * was refused or the payer has to authenticate
 */
export function payWithCard(
  call: Call,
  session: CheckoutSession,
  method: PaymentMethod,
): SetupIntent {
  const intent = call.get("setup_intent", session.setup_intent);
  return conclude(call, session, attemptSetup(call, intent, method, null));
}

/** The payer answers the bank. */
export function authenticateCheckout(
  call: Call,
  session: CheckoutSession,
  how: "succeed" | "fail",
): SetupIntent {
  const intent = call.get("setup_intent", session.setup_intent);
  return conclude(call, session, resolveSetup(call, intent, how));
}

function conclude(
  call: Call,
  session: CheckoutSession,
  intent: SetupIntent,
): SetupIntent {
  if (intent.status === "succeeded" || intent.status === "processing") {
    const complete = close(call, session, "complete");
    call.emit("checkout.session.completed", complete);
  }
  return intent;
}

function close(
  call: Call,
  session: CheckoutSession,
  status: "complete" | "expired",
): CheckoutSession {
  endHostedPages(call, session.id);
  return call.put("checkout_session", { ...session, status, url: null });
}

/** What only other modes have, or nobody has chosen. */
function emptyCheckout(): Omit<
  CheckoutSession,
  "created" | "customer" | "expires_at" | "id" | "setup_intent" | "success_url"
> {
  return {
    object: "checkout.session",
    ...ofOtherModes(),
    adaptive_pricing: null,
    after_expiration: null,
    allowed_payment_method_types: null,
    billing_address_collection: null,
    cancel_url: null,
    client_reference_id: null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    currency: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer_account: null,
    customer_creation: null,
    customer_details: null,
    customer_email: null,
    integration_identifier: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: {},
    mode: "setup",
    origin_context: null,
    payment_method_collection: "always",
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ["card"],
    payment_status: "no_payment_required",
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    status: "open",
    submit_type: null,
    ui_mode: "hosted_page",
    url: null,
    wallet_options: null,
  };
}

/** What sessions that sell something have. */
function ofOtherModes() {
  return {
    allow_promotion_codes: null,
    amount_subtotal: null,
    amount_total: null,
    automatic_tax: {
      enabled: false,
      liability: null,
      provider: null,
      status: null,
    },
    currency_conversion: null,
    discounts: null,
    invoice: null,
    invoice_creation: null,
    payment_intent: null,
    payment_link: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    subscription: null,
    total_details: null,
  } satisfies Partial<CheckoutSession>;
}
