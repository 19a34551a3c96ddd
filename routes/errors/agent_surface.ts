import { CALLBACKS_MAX } from "../../domain/callbacks/callback.ts";
import { limitText } from "../../domain/readiness/details.ts";
import type { Resource } from "../../domain/oauth/resource.ts";
import { withReading } from "../../domain/oauth/scope_list.ts";
import { errorResponse } from "./answer_context.ts";
import { bearerChallenge, bearerRefusals } from "./bearer_error.ts";
import { creativeProblem } from "./creative_text.ts";
import { codedProblem } from "./coded_problem.ts";
import type { ProblemSlug } from "./problem_types.ts";
import {
  type Answer,
  answeringBy,
  asSaid,
  emptyBucketText,
  KEY_CONFLICT,
  KEY_IN_FLIGHT,
  keyRequired,
  methodNotAllowedText,
  type RefusalAnswers,
  retryAfter,
} from "./refusal_answers.ts";
import { scopesWanted } from "./scopes_wanted.ts";

const REQUESTS = {
  scope_missing: ({ scopes }) => scopeMissing(scopes),
  method_not_allowed: (refusal) => {
    const { text, headers } = methodNotAllowedText(refusal);
    return codedProblem("agent.method-not-allowed", text, { headers });
  },
  rate_limited: (refusal) =>
    codedProblem("agent.rate-limited", emptyBucketText(refusal), {
      headers: retryAfter(refusal),
    }),
  bad_request: ({ message }) => codedProblem("agent.bad-request", message),
  invalid_input: ({ message }) => codedProblem("agent.bad-request", message),
  not_found: ({ message }) => codedProblem("agent.not-found", message),
} as const satisfies RefusalAnswers;

const IDEMPOTENCY_KEYS = {
  idempotency_key_required: () =>
    codedProblem("agent.idempotency-key-required", keyRequired("visible")),
  idempotency_conflict: () => conflict("key-reused", KEY_CONFLICT),
  idempotency_in_flight: () =>
    conflict("key-in-flight", KEY_IN_FLIGHT, retryAfter({ retryAfterS: 1 })),
} as const satisfies RefusalAnswers;

const BIDS = {
  bad_bid_body: ({ message }) => badBidBody(message),
  payment_method_on_raise: () =>
    badBidBody(
      "Cannot raise the bid: payment_method_id must be left out, " +
        "a raise uses the default card of the account",
    ),
  mandate_missing: () =>
    codedProblem(
      "agent.mandate-expired",
      "Cannot place the bid: the user gave no spending mandate, ask them to " +
        "authorize one",
      { slug: "mandate-missing" },
    ),
  mandate_expired: () =>
    codedProblem(
      "agent.mandate-expired",
      "Cannot place the bid: the spending mandate is not valid any more, " +
        "ask the user to authorize a new one",
    ),
  mandate_exceeded: (refusal) =>
    codedProblem(
      "agent.mandate-exceeded",
      `Cannot place the bid of ${refusal.requestedCents} cents: the mandate ` +
        `allows ${limitText(refusal)}`,
      {
        limit: refusal.limitCents,
        used: refusal.usedCents,
        requested: refusal.requestedCents,
      },
    ),
  human_step_required: ({ reasons, actionUrl }) =>
    codedProblem(
      "agent.human-step-required",
      `Cannot do this now (${reasons.join(", ")}): next_action of ` +
        "GET /v1/agent/me says who acts first, and where",
      { reasons, action_url: actionUrl },
    ),
  auction_not_open: ({ day }) =>
    conflict(
      "auction-not-open",
      `Cannot bid on ${day}: the auction of that day has not opened yet`,
    ),
  auction_closed: ({ day }) =>
    conflict(
      "auction-closed",
      `Cannot bid on ${day}: the auction of that day has closed`,
    ),
  bid_not_higher: ({ amountCents, liveCents }) =>
    conflict(
      "bid-not-higher",
      `Cannot raise the bid to ${amountCents} cents: ` +
        `it must exceed your live bid of ${liveCents} cents`,
    ),
  bid_not_found: ({ bidId }) =>
    codedProblem(
      "agent.bid-not-found",
      `Cannot find bid "${bidId}": GET /v1/agent/bids (list_my_bids) lists ` +
        "yours of a day",
    ),
} as const satisfies RefusalAnswers;

const THINGS_OF_ACCOUNTS = {
  creative_not_found: ({ adId }) =>
    creativeNotFound(
      adId,
      "GET /v1/agent/creatives (list_creatives) lists those you have",
    ),
  creative_refused: ({ why }) => creativeProblem(why),
  payment_method_not_found: ({ paymentMethodId }) =>
    cardNotFound(
      paymentMethodId,
      "GET /v1/agent/payment_methods (list_payment_methods) lists those you have",
    ),
  card_of_live_bid: ({ paymentMethodId, days }) =>
    conflict(
      "card-of-live-bid",
      `Cannot remove payment method "${paymentMethodId}": ` +
        "your bid stands on it until its auction has settled " +
        `(${days.join(", ")})`,
    ),
  callbacks_full: () =>
    conflict(
      "callbacks-full",
      `Cannot set the callback: ${CALLBACKS_MAX} connections of the account ` +
        "have one already",
    ),
  passkey_not_found: () =>
    codedProblem("agent.not-found", "Cannot find the passkey", {
      slug: "passkey-not-found",
    }),
  last_sign_in_method: () =>
    conflict(
      "last-sign-in-method",
      "Cannot remove the passkey: it is the last way to sign in",
    ),
} as const satisfies RefusalAnswers;

const REFUSALS = {
  ...REQUESTS,
  ...IDEMPOTENCY_KEYS,
  ...BIDS,
  ...THINGS_OF_ACCOUNTS,
} as const;

/** What the agent API under `{auth_url}/v1/agent` answers. */
export const renderAgent = answeringBy(
  "agent",
  { ...REFUSALS, ...bearerRefusals("agent") },
  asSaid,
);

/** What its operations answer where they are rehearsed, without a token. */
export const renderRehearsal = answeringBy("rehearsal", {
  ...REFUSALS,
  creative_not_found: ({ adId }) =>
    creativeNotFound(adId, 'name "ad_practice", or another of its creatives'),
  payment_method_not_found: ({ paymentMethodId }) =>
    cardNotFound(paymentMethodId, 'name "pm_practice", or leave it out'),
}, asSaid);

/**
 * What the tool server beside it answers: the same, but that challenges name
 * the document of this server, which stands at a path of its own.
 */
export const renderAdvertiserTools = answeringBy(
  "agent",
  { ...REFUSALS, ...bearerRefusals("mcp") },
  asSaid,
);

/** 403 `agent.scope-missing`, with the challenge of the resource. */
export function scopeMissing(
  scopes: readonly string[],
  resource: Resource = "agent",
): Answer {
  const scope = withReading(scopes).join(" ");
  const challenge = { error: "insufficient_scope", scope } as const;
  return (context) =>
    codedProblem("agent.scope-missing", scopesWanted(scopes, context), {
      headers: {
        "www-authenticate": bearerChallenge(context, resource, challenge),
      },
    })(context);
}

/** @param wayOn where ids come from, as the end of a sentence */
function creativeNotFound(adId: string, wayOn: string): Answer {
  const detail = `Cannot find creative "${adId}": ${wayOn}`;
  const slug = "creative-not-found";
  return codedProblem("agent.not-found", detail, { slug });
}

function cardNotFound(paymentMethodId: string, wayOn: string): Answer {
  const detail = `Cannot find payment method "${paymentMethodId}": ${wayOn}`;
  const slug = "payment-method-not-found";
  return codedProblem("agent.not-found", detail, { slug });
}

/** 409: what the state, or an earlier use of the key, forbids. */
function conflict(
  slug: ProblemSlug,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return codedProblem("CONFLICT", detail, { slug, headers });
}

/** An ApiError (contract §12.1). */
function badBidBody(message: string): Answer {
  const error = { code: "auction.bad-body", message, retryable: false };
  return (context) =>
    errorResponse(400, "application/json", { error }, context);
}
