/**
 * The problems of the Machine Payments Protocol. Their types are the
 * protocol's, so that its clients know them.
 *
 * @module
 */
import { type Day, isoTime } from "../../domain/day.ts";
import type {
  GivenReport,
  PaymentNeed,
} from "../../domain/paid_metrics/payment_need.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { type AnswerContext, errorResponse } from "./answer_context.ts";
import { publicProblem, seconds } from "./public_problem.ts";

const TYPES = "https://paymentauth.org/problems/";

/** Why figures are not answered, as a request for them was refused. */
export type PaymentRequired = Extract<
  Refusal,
  { code: "payment_required" }
>;

/** Where it is said how to pay, and what the problems mean. */
const TOPIC = "/developers/buy-click-figures-over-http-402";
const HOW_TO_PAY = `${TOPIC}#pay-from-a-program`;
const WHY_NOT_TAKEN = `${TOPIC}#why-a-payment-was-not-taken`;

/** One kind of problem, and what is said of it about a day. */
interface PaymentProblem {
  slug: string;
  /** The part of the documentation that helps. */
  docs?: string;
  detail: (day: Day) => string;
}

const NOT_ACCEPTED = "Cannot accept the payment credential";
const NOT_TAKEN = "Cannot take the payment";

const PROBLEMS: Readonly<
  Record<PaymentNeed, PaymentProblem>
> = {
  no_credential: {
    slug: "payment-required",
    docs: HOW_TO_PAY,
    detail: (day) =>
      `Cannot show the figures of ${day}: they cost EUR 1, answer the ` +
      "challenge in WWW-Authenticate with a shared payment token and send " +
      "an Idempotency-Key. After a lost answer send the same Authorization " +
      "and Idempotency-Key again: another credential is another purchase, " +
      "with the same key, too",
  },
  malformed_credential: {
    slug: "malformed-credential",
    docs: HOW_TO_PAY,
    detail: () =>
      "Cannot read the payment credential: it must be base64url of a JSON " +
      "object whose challenge is the one received and whose payload has a " +
      "shared payment token in spt",
  },
  unknown_challenge: {
    slug: "invalid-challenge",
    detail: (day) =>
      `${NOT_ACCEPTED}: its challenge is none of ours for the figures of ` +
      `${day}, answer the fresh one`,
  },
  used_challenge: {
    slug: "invalid-challenge",
    detail: () =>
      `${NOT_ACCEPTED}: its challenge has been used, answer the fresh one`,
  },
  expired_challenge: {
    slug: "payment-expired",
    detail: () =>
      `${NOT_ACCEPTED}: its challenge has expired, answer the fresh one`,
  },
  unsupported_method: {
    slug: "method-unsupported",
    detail: () =>
      `${NOT_ACCEPTED}: its challenge must be of method stripe and intent ` +
      "charge",
  },
  declined: {
    slug: "verification-failed",
    detail: () =>
      `${NOT_TAKEN}: the processor refused the token, answer the fresh ` +
      "challenge with another one",
  },
  action_required: {
    slug: "payment-action-required",
    detail: () =>
      `${NOT_TAKEN}: the buyer would have to act, which is not possible ` +
      "here, answer the fresh challenge with another token",
  },
  not_charged: {
    slug: "verification-failed",
    detail: () =>
      `${NOT_TAKEN}: the processor never received it and took no money, ` +
      "answer the fresh challenge",
  },
  refunded: {
    slug: "verification-failed",
    detail: () =>
      "Cannot answer for this payment any more: its money was given back, " +
      "answer the fresh challenge",
  },
};

/** A fresh challenge, as an answer shows it. */
export interface ShownChallenge {
  id: string;
  /** `WWW-Authenticate`, and what is said of the figures. */
  headers: Readonly<Record<string, string>>;
}

/** 402 with a fresh challenge. */
export function paymentProblem(
  need: PaymentRequired,
  day: Day,
  challenge: ShownChallenge,
  context: AnswerContext,
): Response {
  return problem(
    402,
    {
      ...bodyOf(402, problemOf(need), day, context),
      challengeId: challenge.id,
    },
    context,
    challenge.headers,
  );
}

/** 400 for a credential of a method or intent that is not taken. */
export function unsupportedMethodProblem(
  day: Day,
  context: AnswerContext,
): Response {
  const body = bodyOf(400, PROBLEMS.unsupported_method, day, context);
  return problem(400, body, context);
}

/** 503: nobody knows yet whether money was taken, so no challenge is given. */
export function uncertainPaymentProblem(
  retryAfterS: number,
  context: AnswerContext,
): Response {
  return publicProblem({
    slug: "temporarily-unavailable",
    status: 503,
    detail: "Cannot tell yet whether the payment was made: retry in " +
      `${seconds(retryAfterS)} with the same Authorization and ` +
      "Idempotency-Key, start no other payment",
    headers: { "retry-after": String(retryAfterS) },
  }, context);
}

function problemOf(need: PaymentRequired): PaymentProblem {
  if (need.why !== "answered") return PROBLEMS[need.why];
  const detail = answeredText(need.given);
  return { ...PROBLEMS.used_challenge, detail: () => detail };
}

/**
 * Only whoever holds token and challenge is told this. Paying once more is what
 * the fresh challenge is for, and never the way to a lost report.
 */
function answeredText({ chargedAtMs, hasKey, repeatableUntilMs }: GivenReport) {
  const until = isoTime(repeatableUntilMs);
  return `${NOT_ACCEPTED} again: it was charged EUR 1 at ` +
    `${isoTime(chargedAtMs)} and its report was given. ` +
    (hasKey
      ? "The same request with the Idempotency-Key that it came with gives " +
        `the report again until ${until}. `
      : "It came without an Idempotency-Key, with which the report could be " +
        `had again until ${until}. `) +
    "The fresh challenge is for another purchase";
}

function bodyOf(
  status: number,
  { slug, detail, docs = WHY_NOT_TAKEN }: PaymentProblem,
  day: Day,
  { settings }: AnswerContext,
): Record<string, unknown> {
  return {
    type: `${TYPES}${slug}`,
    // The protocol's titles are its slugs, spelled out.
    title: slug.split("-").map((word) =>
      `${word[0]?.toUpperCase()}${word.slice(1)}`
    ).join(" "),
    status,
    detail: detail(day),
    docs: settings.baseUrl + docs,
  };
}

function problem(
  status: number,
  body: Record<string, unknown>,
  context: AnswerContext,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const type = "application/problem+json";
  return errorResponse(status, type, body, context, headers);
}
