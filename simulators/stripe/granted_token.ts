/**
 * Shared payment tokens: what they allow, and what was made of it.
 *
 * A token may be charged until what was captured reaches `max_amount`; then it
 * is consumed. That is how the API's reference defines both. A payment under
 * way holds its amount until it ends, so that payments side by side never take
 * more than the limit; one that fails gives its amount back. Whether a token
 * may be used is decided when a payment is confirmed: what happens to it later
 * does not stop a payment that waits for the payer or the bank.
 *
 * @module
 */

import type { Call } from "./call.ts";
import { ApiError } from "./errors.ts";
import type {
  Deactivation,
  GrantedToken,
  GrantedTokenUse,
  PaymentIntent,
  PaymentMethod,
} from "./objects.ts";
import { newPaymentMethod } from "./payment_method.ts";

/** What a token is asked for; a new payment has no id yet. */
export type Payment =
  & Pick<PaymentIntent, "amount" | "currency">
  & Partial<Pick<PaymentIntent, "id">>;

const WHY_NOT: Record<Deactivation, string> = {
  consumed: "it has been consumed",
  expired: "it has expired",
  resolved: "it has been resolved",
  revoked: "it has been revoked",
};

/**
 * The token as it is now. That its time is up shows when it is next looked at.
 *
 * @param param the parameter that named it; `id` when the path did
 * @throws {ApiError} `resource_missing`
 */
export function currentToken(
  call: Call,
  id: string,
  param: string,
): GrantedToken {
  const token = call.get("granted_token", id, param);
  const { expires_at } = token.usage_limits;
  const isOver = expires_at !== null && expires_at <= call.now;
  if (!isOver || token.deactivated_at !== null) return token;
  return deactivate(call, token, "expired", expires_at);
}

/** Ends a token. */
export function deactivate(
  call: Call,
  token: GrantedToken,
  deactivated_reason: Deactivation,
  deactivated_at: number = call.now,
): GrantedToken {
  const ended = { ...token, deactivated_at, deactivated_reason };
  call.put("granted_token", ended);
  call.emit("shared_payment.granted_token.deactivated", ended);
  return ended;
}

/**
 * Makes a payment method of a token: the card, but not who holds it.
 *
 * @throws {ApiError} 400 when the token does not allow this payment
 */
export function methodOfToken(
  call: Call,
  id: string,
  param: string,
  payment: Payment,
): PaymentMethod {
  const token = currentToken(call, id, param);
  const use = call.get("granted_token_use", id);
  const refusal = refusalOf(token, use, payment);
  if (refusal !== null) throw notUsable(id, param, refusal);
  const source = call.get("payment_method", use.payment_method);
  const { behaviour } = call.get("card_behaviour", source.id);
  return newPaymentMethod(call, behaviour, {
    card: source.card,
    shared_payment_granted_token: id,
  });
}

/** Lets go of the token of an earlier attempt that waited for the payer. */
export function releaseUse(call: Call, intent: PaymentIntent): void {
  const { payment_method, status } = intent;
  if (status !== "requires_action") return;
  noteUse(call, { ...intent, status: "canceled" }, payment_method);
}

/** Takes down how far a payment has come with the token it is made from. */
export function noteUse(
  call: Call,
  intent: PaymentIntent,
  methodId: string | null,
): void {
  const method = methodId === null
    ? undefined
    : call.find("payment_method", methodId);
  const id = method?.shared_payment_granted_token;
  if (id === undefined) return;
  const { holds: { [intent.id]: _, ...holds }, ...use } = call.get(
    "granted_token_use",
    id,
  );
  const isUnderWay = intent.status === "requires_action" ||
    intent.status === "processing";
  if (isUnderWay) holds[intent.id] = intent.amount;
  call.put("granted_token_use", { ...use, holds });
  if (intent.status === "succeeded") capture(call, id, intent.amount);
}

function capture(call: Call, id: string, amount: number): void {
  const token = call.get("granted_token", id);
  const { currency, max_amount } = token.usage_limits;
  const value = capturedBy(token) + amount;
  const used = call.put("granted_token", {
    ...token,
    usage_details: { amount_captured: { currency, value } },
  });
  call.emit("shared_payment.granted_token.used", used);
  const isSpent = value >= max_amount && used.deactivated_at === null;
  if (isSpent) deactivate(call, used, "consumed");
}

function refusalOf(
  { deactivated_reason, usage_limits, ...token }: GrantedToken,
  { holds }: GrantedTokenUse,
  { id, amount, currency }: Payment,
): string | null {
  if (deactivated_reason !== null) return WHY_NOT[deactivated_reason];
  if (usage_limits.currency !== currency) {
    return `it is limited to payments in ${usage_limits.currency}`;
  }
  const left = usage_limits.max_amount - capturedBy(token);
  if (amount > left) return `at most ${left} may still be captured with it`;
  const held = Object.entries(holds)
    .reduce((sum, [by, each]) => by === id ? sum : sum + each, 0);
  return amount > left - held ? "another payment is using it" : null;
}

function capturedBy({ usage_details }: Pick<GrantedToken, "usage_details">) {
  return usage_details.amount_captured?.value ?? 0;
}

/** Keeps what was found out on the way, such as that the token has expired. */
function notUsable(id: string, param: string, reason: string): ApiError {
  return new ApiError(400, {
    type: "invalid_request_error",
    param,
    message: `The shared payment token ${id} cannot be used: ${reason}.`,
  }, true);
}
