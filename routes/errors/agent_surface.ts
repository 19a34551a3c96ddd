import { CALLBACKS_MAX } from "../../domain/callbacks/callback.ts";
import {
  limitText,
  mostText,
  nextDayText,
  opensText,
} from "../../domain/readiness/details.ts";
import type { RefusalOf, RefusedBid } from "../../domain/refusal.ts";
import {
  OVER_IN_PRACTICE,
  standsWith,
} from "../../domain/readiness/in_practice.ts";
import { PRACTICE } from "../../domain/sandbox/practice_records.ts";
import type { Resource } from "../../domain/oauth/resource.ts";
import { withReading } from "../../domain/oauth/scope_list.ts";
import { type AnswerContext, errorResponse } from "./answer_context.ts";
import { bearerChallenge, bearerRefusals } from "./bearer_error.ts";
import { creativeProblem } from "./creative_text.ts";
import { codedProblem } from "./coded_problem.ts";
import { type AgentWords, REQUEST_WORDS, TOOL_WORDS } from "./agent_words.ts";
import type { ProblemSlug } from "./problem_types.ts";
import {
  type Answer,
  answeringBy,
  asSaid,
  emptyBucketText,
  keyConflict,
  keyInFlight,
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

const keysBy = ({ key }: AgentWords) => ({
  idempotency_key_required: () =>
    codedProblem("agent.idempotency-key-required", keyRequired("visible", key)),
  idempotency_conflict: () => conflict("key-reused", keyConflict(key)),
  idempotency_in_flight: () => {
    const headers = retryAfter({ retryAfterS: 1 });
    return conflict("key-in-flight", keyInFlight(key), headers);
  },
} as const satisfies RefusalAnswers);

const bidsBy = (words: AgentWords) => ({
  bad_bid_body: ({ message }) => badBidBody(message),
  payment_method_on_raise: () =>
    badBidBody(
      "Cannot raise the bid: payment_method_id must be left out, " +
        "a raise uses the default card of the account",
    ),
  mandate_missing: ({ bid }) =>
    codedProblem(
      "agent.mandate-expired",
      "Cannot place the bid: the user gave no spending mandate, ask them to " +
        `authorize one${aboutDay(bid)}`,
      { slug: "mandate-missing" },
    ),
  mandate_expired: ({ bid }) =>
    codedProblem(
      "agent.mandate-expired",
      "Cannot place the bid: the spending mandate is not valid any more, " +
        `ask the user to authorize a new one${aboutDay(bid)}`,
    ),
  mandate_exceeded: (refusal) => mandateExceeded(refusal, words),
  human_step_required: (refusal) =>
    humanStep(
      refusal,
      words,
      ({ baseUrl }) =>
        `the page for a person is ${baseUrl}${refusal.actionUrl}`,
    ),
  auction_not_open: ({ day, nextDay }) =>
    conflict(
      "auction-not-open",
      `Cannot bid on ${day}: the auction of that day has not opened yet` +
        opensText(nextDay),
    ),
  auction_closed: ({ day, nextDay }) =>
    conflict(
      "auction-closed",
      `Cannot bid on ${day}: the auction of that day has closed, ` +
        nextDayText(nextDay),
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
      `Cannot find bid "${bidId}": ${words.list("list_my_bids")} lists ` +
        "yours of a day",
    ),
} as const satisfies RefusalAnswers);

const thingsBy = ({ list }: AgentWords) => ({
  creative_not_found: ({ adId }) =>
    creativeNotFound(
      adId,
      `${list("list_creatives")} lists those you have`,
    ),
  creative_refused: ({ why }) => creativeProblem(why),
  payment_method_not_found: ({ paymentMethodId }) =>
    cardNotFound(
      paymentMethodId,
      `${list("list_payment_methods")} lists those you have`,
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
  payout_refused({ why }) {
    const { slug, detail } = PAYOUT_REFUSED[why];
    return conflict(slug, detail);
  },
  partner_required: () =>
    conflict(
      "partner-not-payable",
      "Cannot ask for a payout: the partner's account at the payment " +
        "processor cannot be paid, a person completes it at /partner",
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
} as const satisfies RefusalAnswers);

const refusalsBy = (words: AgentWords) => ({
  ...REQUESTS,
  ...keysBy(words),
  ...bidsBy(words),
  ...thingsBy(words),
});

/** What the agent API under `{auth_url}/v1/agent` answers. */
export const renderAgent = answeringBy(
  "agent",
  { ...refusalsBy(REQUEST_WORDS), ...bearerRefusals("agent") },
  asSaid,
);

/**
 * What the tool server beside it answers: the same, but that it names tools,
 * and that challenges name the document of this server, which stands at a path
 * of its own.
 */
export const renderAdvertiserTools = answeringBy(
  "agent",
  { ...refusalsBy(TOOL_WORDS), ...bearerRefusals("mcp") },
  asSaid,
);

const rehearsalBy = (words: AgentWords) => ({
  ...refusalsBy(words),
  // No challenge: it would lead a client to sign in to the real service.
  scope_missing: ({ scopes }) =>
    codedProblem(
      "agent.scope-missing",
      `Cannot do this: the user has not allowed ${scopes.join(" and ")}; ` +
        `nobody can be asked for it in a rehearsal, ${standsWith(PRACTICE)}`,
    ),
  human_step_required: (refusal) =>
    humanStep(
      refusal,
      words,
      () => `no page helps in a rehearsal, ${standsWith(PRACTICE)}`,
    ),
  mandate_missing: () =>
    mandateInRehearsal("the user gave no spending mandate", {
      slug: "mandate-missing",
    }),
  mandate_expired: () =>
    mandateInRehearsal("the spending mandate is not valid any more"),
  auction_not_open: ({ day }) => dayOfRehearsal("auction-not-open", day),
  auction_closed: ({ day }) => dayOfRehearsal("auction-closed", day),
  creative_not_found: ({ adId }) =>
    creativeNotFound(adId, 'name "ad_practice", or another of its creatives'),
  payment_method_not_found: ({ paymentMethodId }) =>
    cardNotFound(paymentMethodId, 'name "pm_practice", or leave it out'),
} as const satisfies RefusalAnswers);

/** What its operations answer where they are rehearsed, without a token. */
export const renderRehearsal = answeringBy(
  "rehearsal",
  rehearsalBy(REQUEST_WORDS),
  asSaid,
);

/** What the tool that rehearses tools answers. */
export const renderRehearsedTools = answeringBy(
  "rehearsal",
  rehearsalBy(TOOL_WORDS),
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

/** 403, where no user can be asked. */
function mandateInRehearsal(
  why: string,
  members: { slug?: ProblemSlug } = {},
): Answer {
  const detail = `Cannot place the bid: ${why}; nobody can be asked for one ` +
    `in a rehearsal, ${standsWith(PRACTICE)}`;
  return codedProblem("agent.mandate-expired", detail, members);
}

/** 409 in a rehearsal, whose calendar is its own. */
function dayOfRehearsal(
  slug: "auction-not-open" | "auction-closed",
  day: string,
): Answer {
  const state = slug === "auction-closed" ? "has closed" : "has not opened yet";
  const wayOn = day === PRACTICE.day
    ? OVER_IN_PRACTICE
    : `it is ${PRACTICE.day} in a rehearsal, and that day takes bids`;
  return conflict(
    slug,
    `Cannot bid on ${day}: the auction of that day ${state}; ${wayOn}`,
  );
}

/**
 * 403: a person has to act, who is sent nowhere before everybody else has.
 *
 * @param where what page that person is sent to, as the end of the sentence
 */
function humanStep(
  { reasons, actionUrl, bid }: RefusalOf<"human_step_required">,
  words: AgentWords,
  where: (at: AnswerContext["settings"]) => string,
): Answer {
  const members = { reasons, action_url: actionUrl };
  return (context) => {
    const { settings } = context;
    const what = bid === undefined ? "do this now" : "place the bid";
    const readiness = words.readiness(bid, settings);
    const who = bid?.agentTool === undefined
      ? "who acts first"
      : `that you act first yourself, by ${bid.agentTool}`;
    const detail = `Cannot ${what} (${reasons.join(", ")}): ` +
      `next_action of ${readiness} says ${who}; ${where(settings)}` +
      aboutDay(bid);
    return codedProblem("agent.human-step-required", detail, members)(context);
  };
}

/** 403: by how much, what the bid could be all the same, and what helps it. */
function mandateExceeded(
  refusal: RefusalOf<"mandate_exceeded">,
  words: AgentWords,
): Answer {
  const { limitCents, usedCents, requestedCents, bid } = refusal;
  const members = {
    limit: limitCents,
    used: usedCents,
    requested: requestedCents,
  };
  return (context) => {
    const detail = `Cannot place the bid of ${requestedCents} cents: the ` +
      `mandate allows ${limitText(refusal)}` +
      aboutRoom(bid, words, context.settings);
    return codedProblem("agent.mandate-exceeded", detail, members)(context);
  };
}

function aboutRoom(
  bid: RefusedBid | undefined,
  words: AgentWords,
  settings: AnswerContext["settings"],
): string {
  if (bid === undefined) return "";
  const most = bid.dayState === "closed" ? "" : mostText(bid.mostCents);
  const readiness = words.readiness(bid, settings);
  return `${most}${aboutDay(bid)}; next_action of ${readiness} says what helps`;
}

/** That no step helps a bid on its day, or none at once, and which day does. */
function aboutDay(bid: RefusedBid | undefined): string {
  if (bid === undefined || bid.dayState === "open") return "";
  return bid.dayState === "closed"
    ? `; the auction of ${bid.day} has closed, ${nextDayText(bid.nextDay)}`
    : `; the auction of ${bid.day} has not opened yet${opensText(bid.nextDay)}`;
}

/** Why no payout was made: its page and its sentence. */
const PAYOUT_REFUSED = {
  open: {
    slug: "payout-open",
    detail:
      "Cannot ask for a payout: one is under way, and one is open at a time",
  },
  suspended: {
    slug: "payout-held",
    detail:
      "Cannot ask for a payout: the account is suspended, its owner reads why " +
      "and whom to ask at /account; what was earned stays payable",
  },
  too_little: {
    slug: "payout-too-small",
    detail: "Cannot ask for a payout: less than EUR 50 is payable now",
  },
} as const satisfies Readonly<
  Record<string, { slug: ProblemSlug; detail: string }>
>;

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
