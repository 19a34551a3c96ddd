import type { Resource } from "../../domain/oauth/resource.ts";
import type { RefusalOf } from "../../domain/refusal.ts";
import { type AgentCode, agentProblem } from "./agent_problem.ts";
import { type AnswerContext, errorResponse } from "./answer_context.ts";
import {
  bearerAmbiguous,
  bearerChallenge,
  bearerInvalid,
  bearerMissing,
} from "./bearer_error.ts";
import { creativeProblem } from "./creative_text.ts";
import { engineProblem } from "./engine_problem.ts";
import {
  answeringBy,
  emptyBucketText,
  methodNotAllowedText,
  type RefusalAnswers,
  retryAfter,
} from "./refusal_answers.ts";

const REQUESTS = {
  token_missing: (_, context) => bearerMissing(context, "agent"),
  token_invalid: (_, context) => bearerInvalid(context, "agent"),
  token_ambiguous: (_, context) => bearerAmbiguous(context, "agent"),
  scope_missing: ({ scope }, context) => scopeMissing(scope, context),
  method_not_allowed: (refusal, context) => {
    const { text: detail, headers } = methodNotAllowedText(refusal);
    const code = "agent.method-not-allowed";
    return agentProblem({ code, detail, headers }, context);
  },
  rate_limited: (refusal, context) =>
    agentProblem({
      code: "agent.rate-limited",
      detail: emptyBucketText(refusal),
      headers: retryAfter(refusal),
    }, context),
  bad_request: ({ message }, context) =>
    plain("agent.bad-request", message, context),
  invalid_input: ({ message }, context) =>
    plain("agent.bad-request", message, context),
  not_found: ({ message }, context) =>
    plain("agent.not-found", message, context),
} as const satisfies RefusalAnswers;

const IDEMPOTENCY_KEYS = {
  idempotency_key_required: (_, context) =>
    plain(
      "agent.idempotency-key-required",
      "Cannot answer the request: the header Idempotency-Key must be " +
        "given, as 1 to 255 visible ASCII characters",
      context,
    ),
  idempotency_conflict: (_, context) =>
    conflict(
      "Cannot repeat the request: its Idempotency-Key belongs to another " +
        "request, send a new key",
      context,
    ),
  idempotency_in_flight: (_, context) =>
    engineProblem({
      code: "CONFLICT",
      detail: "Cannot repeat the request yet: the first one with its " +
        "Idempotency-Key is not finished, retry in 1 second",
      headers: retryAfter({ retryAfterS: 1 }),
    }, context),
} as const satisfies RefusalAnswers;

const BIDS = {
  bad_bid_body: ({ message }, context) => badBidBody(message, context),
  payment_method_on_raise: (_, context) =>
    badBidBody(
      "Cannot raise the bid: payment_method_id must be left out, " +
        "a raise uses the default card of the account",
      context,
    ),
  mandate_expired: (_, context) =>
    plain(
      "agent.mandate-expired",
      "Cannot place the bid: the spending mandate is not valid any more, " +
        "ask the user to authorize a new one",
      context,
    ),
  mandate_exceeded: mandateExceeded,
  human_step_required: ({ reasons, actionUrl }, context) =>
    agentProblem({
      code: "agent.human-step-required",
      detail: "Cannot do this now: a person must act in the browser first " +
        `(${reasons.join(", ")})`,
      members: { reasons, action_url: actionUrl },
    }, context),
  auction_not_open: ({ day, phase }, context) =>
    conflict(
      `Cannot bid on ${day}: bidding is not open, ` +
        `the auction of that day is ${phase}`,
      context,
    ),
  bid_not_higher: ({ amountCents, liveCents }, context) =>
    conflict(
      `Cannot raise the bid to ${amountCents} cents: ` +
        `it must exceed your live bid of ${liveCents} cents`,
      context,
    ),
  bid_not_found: ({ bidId }, context) =>
    plain("agent.bid-not-found", `Cannot find bid "${bidId}"`, context),
} as const satisfies RefusalAnswers;

const THINGS_OF_ACCOUNTS = {
  creative_not_found: ({ adId }, context) =>
    plain("agent.not-found", `Cannot find creative "${adId}"`, context),
  creative_refused: ({ why }, context) => creativeProblem(why, context),
  payment_method_not_found: ({ paymentMethodId }, context) =>
    plain(
      "agent.not-found",
      `Cannot find payment method "${paymentMethodId}"`,
      context,
    ),
  card_of_live_bid: ({ paymentMethodId, days }, context) =>
    conflict(
      `Cannot remove payment method "${paymentMethodId}": ` +
        "your bid stands on it until its auction has settled " +
        `(${days.join(", ")})`,
      context,
    ),
  passkey_not_found: (_, context) =>
    plain("agent.not-found", "Cannot find the passkey", context),
  last_sign_in_method: (_, context) =>
    conflict(
      "Cannot remove the passkey: it is the last way to sign in",
      context,
    ),
} as const satisfies RefusalAnswers;

/** What the agent API under `{auth_url}/v1/agent` answers. */
export const renderAgent = answeringBy("agent", {
  ...REQUESTS,
  ...IDEMPOTENCY_KEYS,
  ...BIDS,
  ...THINGS_OF_ACCOUNTS,
});

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

function badBidBody(message: string, context: AnswerContext): Response {
  return apiError({
    status: 400,
    code: "auction.bad-body",
    message,
    retryable: false,
  }, context);
}

function conflict(detail: string, context: AnswerContext): Response {
  return engineProblem({ code: "CONFLICT", detail }, context);
}

function plain(
  code: AgentCode,
  detail: string,
  context: AnswerContext,
): Response {
  return agentProblem({ code, detail }, context);
}

/** An ApiError as a response (contract §12.1). */
function apiError(
  error: { status: number; code: string; message: string; retryable: boolean },
  context: AnswerContext,
): Response {
  const { code, message, retryable } = error;
  return errorResponse(
    error.status,
    "application/json",
    { error: { code, message, retryable } },
    context,
  );
}
