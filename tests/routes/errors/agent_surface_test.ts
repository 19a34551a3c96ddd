import { assert, assertEquals } from "@std/assert";
import type { Refusal } from "../../../domain/refusal.ts";
import { renderAgent } from "../../../routes/errors/agent_surface.ts";
import {
  ANSWER_CONTEXT,
  EVERY_REFUSAL,
  partsOf,
  statusesOf,
} from "../../support/answers.ts";
import { WORKING_SET } from "../../support/working_set.ts";

const PROBLEMS = "https://spotlight.example/problems";
const INVALID = "Cannot authorize the request: the access token is not valid";
const METADATA = 'resource_metadata="https://api.spotlight.example' +
  '/.well-known/oauth-protected-resource"';

function answerTo(refusal: Refusal) {
  return partsOf(renderAgent(refusal, ANSWER_CONTEXT));
}

Deno.test("renderAgent() answers each refusal with the decided status", () => {
  const possible = Object.entries(statusesOf(renderAgent))
    .filter(([, status]) => status !== "impossible");
  assertEquals(Object.fromEntries(possible), {
    invalid_input: 400,
    bad_request: 400,
    bad_bid_body: 400,
    not_found: 404,
    method_not_allowed: 405,
    rate_limited: 429,
    idempotency_key_required: 400,
    idempotency_conflict: 409,
    idempotency_in_flight: 409,
    token_missing: 401,
    token_invalid: 401,
    token_ambiguous: 400,
    scope_missing: 403,
    passkey_not_found: 404,
    last_sign_in_method: 409,
    mandate_missing: 403,
    mandate_expired: 403,
    mandate_exceeded: 403,
    human_step_required: 403,
    creative_not_found: 404,
    creative_refused: 409,
    payment_method_not_found: 404,
    callbacks_full: 409,
    card_of_live_bid: 409,
    payment_method_on_raise: 400,
    auction_not_open: 409,
    auction_closed: 409,
    bid_not_higher: 409,
    bid_not_found: 404,
  });
});

Deno.test("renderAgent() answers a missing token with an empty body", async () => {
  const { status, headers, body } = await answerTo(EVERY_REFUSAL.token_missing);
  assertEquals(status, 401);
  assertEquals(body, "");
  assertEquals(
    headers["www-authenticate"],
    `Bearer ${METADATA}, scope="${WORKING_SET}"`,
  );
  assertEquals(headers["cache-control"], "no-store");
});

Deno.test("renderAgent() answers a bad token as OAuthBearerError", async () => {
  const { status, headers, body } = await answerTo(EVERY_REFUSAL.token_invalid);
  assertEquals(status, 401);
  assertEquals(headers["content-type"], "application/json");
  assertEquals(
    headers["www-authenticate"],
    `Bearer ${METADATA}, error="invalid_token", ` +
      `error_description="${INVALID}", scope="${WORKING_SET}"`,
  );
  assertEquals(body, {
    error: "invalid_token",
    error_description: INVALID,
  });
});

Deno.test("renderAgent() names the missing scope in the challenge", async () => {
  const { headers, body } = await answerTo(EVERY_REFUSAL.scope_missing);
  assertEquals(
    headers["www-authenticate"],
    `Bearer ${METADATA}, error="insufficient_scope", ` +
      'scope="bids:read bids:write"',
  );
  assertEquals(headers["content-type"], "application/problem+json");
  assertEquals(body, {
    type: `${PROBLEMS}/agent-scope-missing`,
    title: "Scope missing",
    status: 403,
    code: "agent.scope-missing",
    detail: "Cannot do this: the user has not allowed bids:write, so ask " +
      "them to allow it to this agent at https://spotlight.example/agents, " +
      "then refresh the token and try again",
  });
});

Deno.test("renderAgent() answers 405 with Allow", async () => {
  const { headers, body } = await answerTo(EVERY_REFUSAL.method_not_allowed);
  assertEquals(headers.allow, "GET, HEAD");
  assertEquals(
    (body as { code: string }).code,
    "agent.method-not-allowed",
  );
});

Deno.test("renderAgent() answers an empty bucket with Retry-After", async () => {
  const { headers, body } = await answerTo(EVERY_REFUSAL.rate_limited);
  assertEquals(headers["retry-after"], "3");
  assertEquals((body as { code: string }).code, "agent.rate-limited");
});

Deno.test("renderAgent() tells limit, used and requested of a mandate", async () => {
  const { body } = await answerTo(EVERY_REFUSAL.mandate_exceeded);
  assertEquals(body, {
    type: `${PROBLEMS}/agent-mandate-exceeded`,
    title: "Mandate exceeded",
    status: 403,
    code: "agent.mandate-exceeded",
    detail: "Cannot place the bid of 1600 cents: the mandate allows 2000 " +
      "cents a day, 500 cents are used today: it begins anew at " +
      "2026-11-21T00:00:00.000Z",
    limit: 2000,
    used: 500,
    requested: 1600,
  });
});

Deno.test("renderAgent() tells reasons and where a person acts", async () => {
  const { body } = await answerTo(EVERY_REFUSAL.human_step_required);
  assertEquals(body, {
    type: `${PROBLEMS}/agent-human-step-required`,
    title: "Human step required",
    status: 403,
    code: "agent.human-step-required",
    detail: "Cannot do this now (vat_unverified, creative_not_approved): " +
      "next_action of GET /v1/agent/me says who acts first, and where",
    reasons: ["vat_unverified", "creative_not_approved"],
    action_url: "/account/company",
  });
});

for (const code of ["bad_bid_body", "payment_method_on_raise"] as const) {
  Deno.test(`renderAgent() answers ${code} as ApiError`, async () => {
    const { headers, body } = await answerTo(EVERY_REFUSAL[code]);
    assertEquals(headers["content-type"], "application/json");
    const { error } = body as { error: Record<string, unknown> };
    assertEquals(Object.keys(error), ["code", "message", "retryable"]);
    assertEquals(error.code, "auction.bad-body");
    assertEquals(error.retryable, false);
  });
}

Deno.test("renderAgent() answers a lower raise as EngineProblem CONFLICT", async () => {
  const { headers, body } = await answerTo(EVERY_REFUSAL.bid_not_higher);
  assertEquals(headers["content-type"], "application/problem+json");
  assertEquals(body, {
    type: `${PROBLEMS}/bid-not-higher`,
    title: "Bid not higher",
    status: 409,
    code: "CONFLICT",
    detail: "Cannot raise the bid to 1500 cents: it must exceed your live " +
      "bid of 1500 cents",
  });
});

Deno.test("renderAgent() tells a repeat in flight to wait a second", async () => {
  const inFlight = await answerTo(EVERY_REFUSAL.idempotency_in_flight);
  assertEquals(inFlight.headers["retry-after"], "1");
  const conflict = await answerTo(EVERY_REFUSAL.idempotency_conflict);
  assertEquals(conflict.headers["retry-after"], undefined);
});

Deno.test("renderAgent() carries the headers of every answer", () => {
  for (const refusal of Object.values(EVERY_REFUSAL)) {
    if (statusesOf(renderAgent)[refusal.code] === "impossible") continue;
    const { headers } = renderAgent(refusal, ANSWER_CONTEXT);
    assertEquals(headers.get("ratelimit"), '"agent";r=7', refusal.code);
    assertEquals(headers.get("cache-control"), "no-store", refusal.code);
  }
});

Deno.test("renderAgent() writes details by the house rules", async () => {
  for (const refusal of Object.values(EVERY_REFUSAL)) {
    if (statusesOf(renderAgent)[refusal.code] === "impossible") continue;
    if (refusal.code === "token_missing") continue;
    const { body } = await answerTo(refusal);
    const text = textOf(body);
    assert(/^Cannot /.test(text), text);
    assert(!/[.!]$|n't/.test(text), text);
  }
});

/** As finely as readiness says it: the codes of requirements, with hyphens. */
const KINDS = {
  auction_not_open: ["CONFLICT", "auction-not-open"],
  auction_closed: ["CONFLICT", "auction-closed"],
  bid_not_higher: ["CONFLICT", "bid-not-higher"],
  idempotency_conflict: ["CONFLICT", "key-reused"],
  idempotency_in_flight: ["CONFLICT", "key-in-flight"],
  card_of_live_bid: ["CONFLICT", "card-of-live-bid"],
  last_sign_in_method: ["CONFLICT", "last-sign-in-method"],
  callbacks_full: ["CONFLICT", "callbacks-full"],
  creative_refused: ["CONFLICT", "creatives-full"],
  mandate_missing: ["agent.mandate-expired", "mandate-missing"],
  mandate_expired: ["agent.mandate-expired", "agent-mandate-expired"],
  creative_not_found: ["agent.not-found", "creative-not-found"],
  payment_method_not_found: ["agent.not-found", "payment-method-not-found"],
  passkey_not_found: ["agent.not-found", "passkey-not-found"],
} as const;

Deno.test("renderAgent() says by type what is finer than the code", async () => {
  for (const [refusal, [code, slug]] of Object.entries(KINDS)) {
    const { body } = await answerTo(
      EVERY_REFUSAL[refusal as keyof typeof KINDS],
    );
    const { code: said, type } = body as Record<string, unknown>;
    assertEquals([said, type], [code, `${PROBLEMS}/${slug}`], refusal);
  }
});

Deno.test("renderAgent() answers no two refusals of one code by the same type", async () => {
  const byType = new Map<unknown, string>();
  for (const [name, refusal] of Object.entries(EVERY_REFUSAL)) {
    if (statusesOf(renderAgent)[refusal.code] === "impossible") continue;
    const { body } = await answerTo(refusal);
    const { type, code } = body as Record<string, unknown>;
    if (code !== "CONFLICT") continue;
    assertEquals(byType.get(type), undefined, `${name} is told apart`);
    byType.set(type, name);
  }
  assert(byType.size >= 8);
});

function textOf(body: unknown): string {
  const { detail, error, error_description } = body as Record<string, unknown>;
  if (typeof detail === "string") return detail;
  if (typeof error_description === "string") return error_description;
  return (error as { message: string }).message;
}
