/**
 * Taking money: one attempt on a payment intent, and what follows from it.
 *
 * @module
 */

import type { Call } from "./call.ts";
import {
  type CardOutcome,
  declineError,
  disputeOf,
  outcomeOf,
} from "./cards.ts";
import { newCharge } from "./charge.ts";
import { openDispute } from "./dispute.ts";
import { ApiError } from "./errors.ts";
import { settleInvoice } from "./invoice_settlement.ts";
import { nextAction } from "./next_action.ts";
import type {
  Charge,
  PaymentError,
  PaymentIntent,
  PaymentMethod,
} from "./objects.ts";
import { noteUse, releaseUse } from "./granted_token.ts";

/** How an attempt is made. */
export interface Attempt {
  /** The card; attached to the intent's customer, or to nobody. */
  method: PaymentMethod;
  /** The payer is away and can not authenticate. */
  offSession: boolean;
  /** Fail instead of waiting for the payer. */
  refusesAction: boolean;
  /** Where the payer returns to after authenticating. */
  returnUrl: string | null;
}

type Outcome = CardOutcome | { kind: "requires_action" | "processing" };

const AUTHENTICATION = {
  code: "authentication_required",
  declineCode: "authentication_required",
};

/**
 * Attempts to take the money of an intent.
 *
 * @returns the intent: succeeded, processing or waiting for the payer
 * @throws {ApiError} 402 when the card is declined; the failed attempt stays
 * in the books
 */
export function attemptPayment(
  call: Call,
  intent: PaymentIntent,
  attempt: Attempt,
): PaymentIntent {
  const { method } = attempt;
  releaseUse(call, intent);
  spendIfNobodys(call, method);
  const tried: PaymentIntent = {
    ...intent,
    payment_method: method.id,
    last_payment_error: null,
    next_action: null,
  };
  const outcome = decideOutcome(call, attempt);
  switch (outcome.kind) {
    case "succeed":
      return succeed(call, tried, method);
    case "decline":
      return refuse(call, tried, method, declineError(outcome));
    case "processing":
      return wait(call, { ...tried, status: "processing" });
    default:
      return askPayer(call, tried, attempt);
  }
}

/** Ends a payment that waited for the payer or the bank. */
export function resolvePayment(
  call: Call,
  intent: PaymentIntent,
  how: "succeed" | "fail",
): PaymentIntent {
  const method = call.get("payment_method", intent.payment_method ?? "");
  const waiting = { ...intent, next_action: null };
  if (how === "succeed") return succeed(call, waiting, method);
  const error = intent.status === "requires_action"
    ? {
      type: "card_error" as const,
      code: "payment_intent_authentication_failure",
      message: "The provided payment method has failed authentication. You " +
        "can provide payment_method_data or a new PaymentMethod to attempt " +
        "to fulfill this PaymentIntent again.",
    }
    : declineError({ code: "card_declined", declineCode: "generic_decline" });
  return fail(call, waiting, method, error);
}

/** Cancels an intent; whoever calls has checked that it may be. */
export function cancelPayment(
  call: Call,
  intent: PaymentIntent,
  reason: string | null,
): PaymentIntent {
  const canceled = call.put("payment_intent", {
    ...intent,
    canceled_at: call.now,
    cancellation_reason: reason,
    next_action: null,
    status: "canceled",
  });
  noteUse(call, canceled, canceled.payment_method);
  call.emit("payment_intent.canceled", canceled);
  return canceled;
}

function decideOutcome(
  call: Call,
  { method, offSession, refusesAction }: Attempt,
): Outcome {
  const outcome = call.setting.takeOutcome() ??
    outcomeOf(call.get("card_behaviour", method.id));
  if (outcome.kind !== "authenticate") return outcome;
  const isRefused = offSession || refusesAction;
  return isRefused ? { kind: "decline", ...AUTHENTICATION } : outcome;
}

function succeed(
  call: Call,
  intent: PaymentIntent,
  method: PaymentMethod,
): PaymentIntent {
  const charge = newCharge(call, intent, method, null);
  const paid = call.put("payment_intent", {
    ...intent,
    amount_received: intent.amount,
    latest_charge: charge.id,
    status: "succeeded",
  });
  noteUse(call, paid, method.id);
  call.emit("charge.succeeded", charge);
  call.emit("payment_intent.succeeded", paid);
  settleInvoice(call, paid, "paid");
  const objection = disputeOf(call.get("card_behaviour", method.id));
  if (objection !== null) openDispute(call, charge, objection);
  return paid;
}

function refuse(
  call: Call,
  intent: PaymentIntent,
  method: PaymentMethod,
  error: PaymentError,
): never {
  const failed = fail(call, intent, method, error);
  throw paymentRefused(failed);
}

function fail(
  call: Call,
  intent: PaymentIntent,
  method: PaymentMethod,
  error: PaymentError,
): PaymentIntent {
  const charge: Charge = newCharge(call, intent, method, error);
  const failed = call.put("payment_intent", {
    ...intent,
    last_payment_error: {
      ...error,
      charge: charge.id,
      payment_method: method,
    },
    latest_charge: charge.id,
    payment_method: null,
    status: "requires_payment_method",
  });
  noteUse(call, failed, method.id);
  call.emit("charge.failed", charge);
  call.emit("payment_intent.payment_failed", failed);
  settleInvoice(call, failed, "failed");
  return failed;
}

function askPayer(
  call: Call,
  intent: PaymentIntent,
  { returnUrl }: Attempt,
): PaymentIntent {
  const waiting = wait(call, {
    ...intent,
    next_action: nextAction(call, intent.id, returnUrl),
    status: "requires_action",
  });
  call.emit("payment_intent.requires_action", waiting);
  settleInvoice(call, waiting, "waiting");
  return waiting;
}

function wait(call: Call, intent: PaymentIntent): PaymentIntent {
  const waiting = call.put("payment_intent", intent);
  noteUse(call, waiting, waiting.payment_method);
  return waiting;
}

/** The 402 that tells of a failed attempt, with the intent nested in it. */
function paymentRefused(intent: PaymentIntent): ApiError {
  const { last_payment_error: error } = intent;
  return new ApiError(402, {
    type: "card_error",
    message: "Your card was declined.",
    ...error,
    payment_intent: intent,
  }, true);
}

function spendIfNobodys(call: Call, method: PaymentMethod): void {
  if (method.customer !== null) return;
  const behaviour = call.get("card_behaviour", method.id);
  call.put("card_behaviour", { ...behaviour, spent: true });
}
