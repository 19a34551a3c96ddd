import { unreachable } from "../../domain/invariant.ts";
import type { Resource } from "../../domain/oauth/resource.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { type AgentCode, agentProblem } from "./agent_problem.ts";
import type { AnswerContext } from "./answer_context.ts";
import { apiError } from "./api_error.ts";
import {
  bearerAmbiguous,
  bearerChallenge,
  bearerInvalid,
  bearerMissing,
} from "./bearer_error.ts";
import { creativeProblem } from "./creative_text.ts";
import { engineProblem } from "./engine_problem.ts";
import { impossible, isBrowserRefusal } from "./impossible.ts";
import { isPasskeyRefusal, passkeyProblem } from "./passkey_problem.ts";
import { seconds } from "./public_problem.ts";

type RefusalOf<Code extends Refusal["code"]> = Extract<
  Refusal,
  { code: Code }
>;

/** What the agent API under `{auth_url}/v1/agent` answers. */
export function renderAgent(
  refusal: Refusal,
  context: AnswerContext,
): Response {
  if (isPasskeyRefusal(refusal)) return passkeyProblem(refusal, context);
  if (isBrowserRefusal(refusal)) return impossible("agent", refusal.code);
  switch (refusal.code) {
    case "token_missing":
      return bearerMissing(context, "agent");
    case "token_invalid":
      return bearerInvalid(context, "agent");
    case "token_ambiguous":
      return bearerAmbiguous(context, "agent");
    case "scope_missing":
      return scopeMissing(refusal.scope, context);
    case "method_not_allowed":
      return methodNotAllowed(refusal.allow, context);
    case "rate_limited":
      return rateLimited(refusal.retryAfterS, context);
    case "idempotency_key_required":
      return plain(
        "agent.idempotency-key-required",
        "Cannot answer the request: the header Idempotency-Key must be " +
          "given, as 1 to 255 visible ASCII characters",
        context,
      );
    case "bad_request":
    case "invalid_input":
      return plain("agent.bad-request", refusal.message, context);
    case "not_found":
      return plain("agent.not-found", refusal.message, context);
    case "spotlight_not_found":
    case "sandbox_job_not_found":
    case "payment_required":
    case "checkout_refused":
    case "operator_key_invalid":
    case "account_not_found":
    case "auction_not_openable":
    case "auction_not_closable":
    case "auction_not_closed":
    case "day_not_begun":
    case "not_refundable":
    case "store_not_empty":
      return impossible("agent", refusal.code);
    default:
      return renderBid(refusal, context);
  }
}

type BidRefusal = RefusalOf<
  | "bad_bid_body"
  | "idempotency_conflict"
  | "idempotency_in_flight"
  | "mandate_expired"
  | "mandate_exceeded"
  | "human_step_required"
  | "creative_not_found"
  | "creative_refused"
  | "payment_method_not_found"
  | "card_of_live_bid"
  | "payment_method_on_raise"
  | "auction_not_open"
  | "bid_not_higher"
  | "bid_not_found"
>;

function renderBid(refusal: BidRefusal, context: AnswerContext): Response {
  switch (refusal.code) {
    case "bad_bid_body":
      return badBidBody(refusal.message, context);
    case "payment_method_on_raise":
      return badBidBody(
        "Cannot raise the bid: payment_method_id must be left out, " +
          "a raise uses the default card of the account",
        context,
      );
    case "idempotency_conflict":
    case "idempotency_in_flight":
    case "auction_not_open":
    case "bid_not_higher":
    case "card_of_live_bid":
      return conflict(refusal, context);
    case "mandate_expired":
      return plain(
        "agent.mandate-expired",
        "Cannot place the bid: the spending mandate is not valid any more, " +
          "ask the user to authorize a new one",
        context,
      );
    case "mandate_exceeded":
      return mandateExceeded(refusal, context);
    case "human_step_required":
      return humanStepRequired(refusal, context);
    case "creative_not_found":
      return plain(
        "agent.not-found",
        `Cannot find creative "${refusal.adId}"`,
        context,
      );
    case "creative_refused":
      return creativeProblem(refusal.why, context);
    case "payment_method_not_found":
      return plain(
        "agent.not-found",
        `Cannot find payment method "${refusal.paymentMethodId}"`,
        context,
      );
    case "bid_not_found":
      return plain(
        "agent.bid-not-found",
        `Cannot find bid "${refusal.bidId}"`,
        context,
      );
    default:
      return unreachable(refusal);
  }
}

function conflict(
  refusal: RefusalOf<
    | "idempotency_conflict"
    | "idempotency_in_flight"
    | "auction_not_open"
    | "bid_not_higher"
    | "card_of_live_bid"
  >,
  context: AnswerContext,
): Response {
  const inFlight = refusal.code === "idempotency_in_flight";
  return engineProblem({
    code: "CONFLICT",
    detail: conflictText(refusal),
    ...inFlight ? { headers: { "retry-after": "1" } } : {},
  }, context);
}

function conflictText(refusal: Parameters<typeof conflict>[0]): string {
  switch (refusal.code) {
    case "idempotency_conflict":
      return "Cannot repeat the request: its Idempotency-Key belongs to " +
        "another request, send a new key";
    case "idempotency_in_flight":
      return "Cannot repeat the request yet: the first one with its " +
        "Idempotency-Key is not finished, retry in 1 second";
    case "auction_not_open":
      return `Cannot bid on ${refusal.day}: bidding is not open, ` +
        `the auction of that day is ${refusal.phase}`;
    case "bid_not_higher":
      return `Cannot raise the bid to ${refusal.amountCents} cents: ` +
        `it must exceed your live bid of ${refusal.liveCents} cents`;
    case "card_of_live_bid":
      return `Cannot remove payment method "${refusal.paymentMethodId}": ` +
        "your bid stands on it until its auction has settled " +
        `(${refusal.days.join(", ")})`;
    default:
      return unreachable(refusal);
  }
}

function mandateExceeded(
  refusal: RefusalOf<"mandate_exceeded">,
  context: AnswerContext,
): Response {
  const { limitCents, usedCents, requestedCents } = refusal;
  return agentProblem({
    code: "agent.mandate-exceeded",
    detail: `Cannot place the bid of ${requestedCents} cents: the mandate ` +
      `allows ${limitCents} cents, ${usedCents} cents are used today`,
    members: { limit: limitCents, used: usedCents, requested: requestedCents },
  }, context);
}

function humanStepRequired(
  refusal: RefusalOf<"human_step_required">,
  context: AnswerContext,
): Response {
  return agentProblem({
    code: "agent.human-step-required",
    detail: "Cannot do this now: a person must act in the browser first " +
      `(${refusal.reasons.join(", ")})`,
    members: { reasons: refusal.reasons, action_url: refusal.actionUrl },
  }, context);
}

/** 403 `agent.scope-missing`, with the challenge of the resource. */
export function scopeMissing(
  scope: string,
  context: AnswerContext,
  resource: Resource = "agent",
): Response {
  const challenge = { error: "insufficient_scope", scope } as const;
  return agentProblem({
    code: "agent.scope-missing",
    detail: `Cannot answer the request: the grant lacks scope "${scope}"`,
    headers: {
      "www-authenticate": bearerChallenge(context, resource, challenge),
    },
  }, context);
}

function methodNotAllowed(
  allow: readonly string[],
  context: AnswerContext,
): Response {
  const methods = allow.join(", ");
  return agentProblem({
    code: "agent.method-not-allowed",
    detail: `Cannot use this method here: the address takes ${methods}`,
    headers: { allow: methods },
  }, context);
}

function rateLimited(retryAfterS: number, context: AnswerContext): Response {
  return agentProblem({
    code: "agent.rate-limited",
    detail: "Cannot answer now: the bucket of the grant is empty, " +
      `retry in ${seconds(retryAfterS)}`,
    headers: { "retry-after": String(retryAfterS) },
  }, context);
}

function badBidBody(message: string, context: AnswerContext): Response {
  return apiError({
    status: 400,
    code: "auction.bad-body",
    message,
    retryable: false,
  }, context);
}

function plain(
  code: AgentCode,
  detail: string,
  context: AnswerContext,
): Response {
  return agentProblem({ code, detail }, context);
}
