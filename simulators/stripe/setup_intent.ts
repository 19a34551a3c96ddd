/**
 * Saving a card for later: one intent, and what becomes of it.
 *
 * @module
 */

import type { Call } from "./call.ts";
import {
  attachRefusal,
  type CardOutcome,
  declineError,
  outcomeOf,
} from "./cards.ts";
import { ApiError } from "./errors.ts";
import { nextAction } from "./next_action.ts";
import type { PaymentError, PaymentMethod, SetupIntent } from "./objects.ts";
import { attach } from "./resources/payment_methods.ts";

type Outcome = CardOutcome | { kind: "requires_action" | "processing" };

const NOT_AUTHENTICATED: PaymentError = {
  type: "card_error",
  code: "setup_intent_authentication_failure",
  message: "The provided payment method has failed authentication. You can " +
    "provide a new payment method to attempt to fulfill this SetupIntent again.",
};

/** Makes an intent and tells of it. */
export function newSetupIntent(
  call: Call,
  given: Partial<SetupIntent>,
): SetupIntent {
  const id = call.newId("seti");
  const intent = call.put("setup_intent", {
    id,
    object: "setup_intent",
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${call.newSecret()}`,
    created: call.now,
    customer: null,
    description: null,
    excluded_payment_method_types: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ["card"],
    single_use_mandate: null,
    status: "requires_payment_method",
    usage: "off_session",
    ...given,
  });
  call.emit("setup_intent.created", intent);
  return intent;
}

/**
 * Attempts to save a card.
 *
 * @returns the intent: succeeded, processing, waiting for the payer, or with
 * the reason it could not be done
 */
export function attemptSetup(
  call: Call,
  intent: SetupIntent,
  method: PaymentMethod,
  returnUrl: string | null,
): SetupIntent {
  const tried: SetupIntent = {
    ...intent,
    payment_method: method.id,
    last_setup_error: null,
    next_action: null,
  };
  const outcome = decideOutcome(call, method);
  switch (outcome.kind) {
    case "succeed":
      return succeed(call, tried, method);
    case "decline":
      return fail(call, tried, method, declineError(outcome));
    case "processing":
      return call.put("setup_intent", { ...tried, status: "processing" });
    default:
      return askPayer(call, tried, returnUrl);
  }
}

/** Ends a set-up that waited for the payer or the bank. */
export function resolveSetup(
  call: Call,
  intent: SetupIntent,
  how: "succeed" | "fail",
): SetupIntent {
  const method = call.get("payment_method", intent.payment_method ?? "");
  const waiting = { ...intent, next_action: null };
  if (how === "succeed") return succeed(call, waiting, method);
  const error = intent.status === "requires_action"
    ? NOT_AUTHENTICATED
    : declineError({ code: "card_declined", declineCode: "generic_decline" });
  return fail(call, waiting, method, error);
}

/** Gives a set-up up that has not ended. */
export function cancelSetup(
  call: Call,
  intent: SetupIntent,
  reason: string | null,
): SetupIntent {
  const canceled = call.put("setup_intent", {
    ...intent,
    cancellation_reason: reason,
    next_action: null,
    status: "canceled",
  });
  call.emit("setup_intent.canceled", canceled);
  return canceled;
}

/** The 402 that tells of a card that was not saved; the attempt stays. */
export function setupRefused(
  intent: SetupIntent,
  error: PaymentError,
): ApiError {
  return new ApiError(402, { ...error, setup_intent: intent }, true);
}

/** A card that refuses to be attached refuses to be set up as well. */
function decideOutcome(call: Call, method: PaymentMethod): Outcome {
  const forced = call.setting.takeOutcome();
  if (forced !== null) return forced;
  const behaviour = call.get("card_behaviour", method.id);
  if (attachRefusal(behaviour) !== null) return outcomeOf(behaviour);
  const { kind } = outcomeOf(behaviour);
  return { kind: kind === "authenticate" ? "requires_action" : "succeed" };
}

function succeed(
  call: Call,
  intent: SetupIntent,
  method: PaymentMethod,
): SetupIntent {
  if (intent.customer !== null) {
    attach(call, method.id, intent.customer, "payment_method");
  }
  const behaviour = call.get("card_behaviour", method.id);
  call.put("card_behaviour", { ...behaviour, setUp: true });
  const done = call.put("setup_intent", { ...intent, status: "succeeded" });
  call.emit("setup_intent.succeeded", done);
  return done;
}

function fail(
  call: Call,
  intent: SetupIntent,
  method: PaymentMethod,
  error: PaymentError,
): SetupIntent {
  const failed = call.put("setup_intent", {
    ...intent,
    last_setup_error: { ...error, payment_method: method },
    payment_method: null,
    status: "requires_payment_method",
  });
  call.emit("setup_intent.setup_failed", failed);
  return failed;
}

function askPayer(
  call: Call,
  intent: SetupIntent,
  returnUrl: string | null,
): SetupIntent {
  const waiting = call.put("setup_intent", {
    ...intent,
    next_action: nextAction(call, intent.id, returnUrl),
    status: "requires_action",
  });
  call.emit("setup_intent.requires_action", waiting);
  return waiting;
}
