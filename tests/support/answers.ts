import { InvariantBroken } from "../../domain/invariant.ts";
import type { Refusal, RefusalCode } from "../../domain/refusal.ts";
import type { AnswerContext } from "../../routes/errors/answer_context.ts";
import { dayText } from "./public_spotlights.ts";

/** What renderers are told in tests. */
export const ANSWER_CONTEXT: AnswerContext = {
  settings: {
    baseUrl: "https://spotlight.example",
    authUrl: "https://api.spotlight.example",
  },
  requestId: "req_1",
  headers: { ratelimit: '"agent";r=7' },
};

const day = dayText("2026-11-20");

/** One refusal of every code; a new code does not compile until it is here. */
export const EVERY_REFUSAL: {
  readonly [Code in RefusalCode]: Extract<Refusal, { code: Code }>;
} = {
  invalid_input: { code: "invalid_input", message: "Cannot read day" },
  bad_request: { code: "bad_request", message: "Cannot read the body" },
  bad_bid_body: { code: "bad_bid_body", message: "Cannot read the bid" },
  not_found: { code: "not_found", message: "Cannot find it" },
  method_not_allowed: { code: "method_not_allowed", allow: ["GET", "HEAD"] },
  rate_limited: { code: "rate_limited", retryAfterS: 3 },
  idempotency_key_required: { code: "idempotency_key_required" },
  idempotency_conflict: { code: "idempotency_conflict" },
  idempotency_in_flight: { code: "idempotency_in_flight" },
  token_missing: { code: "token_missing" },
  token_invalid: { code: "token_invalid" },
  token_ambiguous: { code: "token_ambiguous" },
  scope_missing: { code: "scope_missing", scopes: ["bids:write"] },
  cookie_repeated: { code: "cookie_repeated" },
  origin_not_own: { code: "origin_not_own" },
  session_missing: { code: "session_missing" },
  form_of_another: { code: "form_of_another" },
  sign_in_stale: { code: "sign_in_stale" },
  sign_in_code_gone: { code: "sign_in_code_gone" },
  sign_in_code_wrong: { code: "sign_in_code_wrong", triesLeft: 4 },
  email_taken: { code: "email_taken" },
  sign_in_mails_exhausted: {
    code: "sign_in_mails_exhausted",
    retryAfterS: 600,
  },
  passkey_not_found: { code: "passkey_not_found" },
  passkey_rejected: { code: "passkey_rejected" },
  passkeys_full: { code: "passkeys_full" },
  last_sign_in_method: { code: "last_sign_in_method" },
  oauth_error: {
    code: "oauth_error",
    error: "invalid_grant",
    description: "The code is used",
  },
  authorization_unusable: {
    code: "authorization_unusable",
    message: "The application is not known",
  },
  authorization_not_found: { code: "authorization_not_found" },
  authorization_of_another_browser: {
    code: "authorization_of_another_browser",
  },
  vat_id_taken: { code: "vat_id_taken" },
  cards_full: { code: "cards_full" },
  connections_full: { code: "connections_full" },
  callbacks_full: { code: "callbacks_full" },
  payout_refused: { code: "payout_refused", why: "open" },
  tries_exhausted: { code: "tries_exhausted", retryAfterS: 600 },
  partner_required: { code: "partner_required" },
  spotlight_not_found: { code: "spotlight_not_found", day },
  sandbox_job_not_found: { code: "sandbox_job_not_found", jobId: "sbx_1" },
  mandate_missing: { code: "mandate_missing" },
  mandate_expired: { code: "mandate_expired" },
  mandate_exceeded: {
    code: "mandate_exceeded",
    cap: "day",
    limitCents: 2000,
    usedCents: 500,
    requestedCents: 1600,
    resetsAtMs: Date.UTC(2026, 10, 21),
  },
  human_step_required: {
    code: "human_step_required",
    reasons: ["vat_unverified", "creative_not_approved"],
    actionUrl: "/account/company",
  },
  creative_not_found: { code: "creative_not_found", adId: "ad_1" },
  creative_refused: {
    code: "creative_refused",
    why: { kind: "shelf_full", bound: "day", most: 20 },
  },
  payment_method_not_found: {
    code: "payment_method_not_found",
    paymentMethodId: "pm_1",
  },
  card_of_live_bid: {
    code: "card_of_live_bid",
    paymentMethodId: "pm_1",
    days: [day],
  },
  company_of_live_bid: { code: "company_of_live_bid", days: [day] },
  payment_method_on_raise: { code: "payment_method_on_raise" },
  reviewed_card_changed: { code: "reviewed_card_changed" },
  auction_not_open: {
    code: "auction_not_open",
    day,
    nextDay: { day, opensAtMs: Date.UTC(2026, 10, 20) },
  },
  auction_closed: {
    code: "auction_closed",
    day,
    nextDay: {
      day: dayText("2026-11-21"),
      opensAtMs: Date.UTC(2026, 10, 21),
    },
  },
  bid_not_higher: {
    code: "bid_not_higher",
    liveCents: 1500,
    amountCents: 1500,
  },
  bid_not_found: { code: "bid_not_found", bidId: "bid_1" },
  payment_required: { code: "payment_required", why: "no_credential" },
  checkout_refused: {
    code: "checkout_refused",
    why: { kind: "session_not_found" },
  },
  operator_key_invalid: { code: "operator_key_invalid" },
  account_not_found: { code: "account_not_found" },
  auction_not_openable: {
    code: "auction_not_openable",
    day,
    message: "Cannot open the auction",
  },
  auction_not_closable: { code: "auction_not_closable", day, phase: "IDLE" },
  auction_not_closed: {
    code: "auction_not_closed",
    day,
    phase: "OPEN",
    by: "own",
  },
  day_not_begun: {
    code: "day_not_begun",
    day,
    action: "close",
    by: "own",
  },
  day_before_unsettled: {
    code: "day_before_unsettled",
    day,
    before: dayText("2026-11-19"),
    closesAtMs: 0,
  },
  not_refundable: { code: "not_refundable", day },
  second_operator_needed: {
    code: "second_operator_needed",
    day,
    askedBy: "first@example.com",
    expiresAtMs: Date.UTC(2026, 10, 21),
  },
  decision_outdated: { code: "decision_outdated" },
  store_not_empty: { code: "store_not_empty" },
};

/** What a surface answers to each refusal; "impossible" where it never does. */
export function statusesOf(
  render: (refusal: Refusal, context: AnswerContext) => Response,
): Record<string, number | "impossible"> {
  return Object.fromEntries(
    Object.values(EVERY_REFUSAL).map((refusal) => {
      try {
        return [refusal.code, render(refusal, ANSWER_CONTEXT).status];
      } catch (error) {
        if (error instanceof InvariantBroken) {
          return [refusal.code, "impossible"];
        }
        throw error;
      }
    }),
  );
}

/** The parts of an answer that golden tests compare. */
export async function partsOf(
  response: Response,
): Promise<{ status: number; headers: Record<string, string>; body: unknown }> {
  const text = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: text === "" ? "" : JSON.parse(text),
  };
}
