import { assert, assertEquals } from "@std/assert";
import type {
  Refusal,
  RefusalOf,
  RefusedBid,
} from "../../../domain/refusal.ts";
import { startOfDayMs } from "../../../domain/day.ts";
import { renderAgent } from "../../../routes/errors/agent_surface.ts";
import {
  ANSWER_CONTEXT,
  EVERY_REFUSAL,
  partsOf,
  statusesOf,
} from "../../support/answers.ts";
import { dayText } from "../../support/public_spotlights.ts";
import { WORKING_SET } from "../../support/working_set.ts";

const PROBLEMS = "https://spotlight.example/problems";
const INVALID =
  "Cannot authorize the request: the access token is not valid, refresh it; " +
  "where that is refused, ask the user to connect this agent again";
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
    payout_refused: 409,
    partner_required: 409,
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
      "them to allow it to this agent at https://spotlight.example/agents; " +
      "then, or if they have since, refresh the token and try again",
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

/** A bid that was refused, on a day in that state. */
function bidOn(dayState: RefusedBid["dayState"]): { bid: RefusedBid } {
  const day = dayText("2026-11-20");
  const readinessUrl = "https://api.spotlight.example/v1/agent/me" +
    "?day=2026-11-20&ad_id=ad_1&amount_cents=1600";
  const asked = { day, ad_id: "ad_1", amount_cents: 1_600 };
  const next = dayState === "closed" ? dayText("2026-11-21") : day;
  const opensAtMs = dayState === "open" ? null : startOfDayMs(next);
  const nextDay = { day: next, opensAtMs };
  return {
    bid: { day, dayState, nextDay, asked, readinessUrl, mostCents: 1_500 },
  };
}

const CLOSED = "; the auction of 2026-11-20 has closed, the next day to bid " +
  "on is 2026-11-21, which takes bids from 2026-11-21T00:00:00.000Z";
const LATER = "; the auction of 2026-11-20 has not opened yet: it takes bids " +
  "from 2026-11-20T00:00:00.000Z";

Deno.test("renderAgent() says what a bid can be, and where to ask what helps it", async () => {
  const said = async (dayState: RefusedBid["dayState"]) => {
    const bid = bidOn(dayState);
    const refusal = { ...EVERY_REFUSAL.mandate_exceeded, ...bid };
    const { body } = await answerTo(refusal);
    const { detail } = body as { detail: string };
    return detail.slice(detail.indexOf(".000Z") + 5);
  };
  const most = "; amount_cents can be 1500 at most";
  const asked = `; next_action of GET ${bidOn("open").bid.readinessUrl} ` +
    "says what helps";
  assertEquals(await said("open"), most + asked);
  assertEquals(await said("not_open"), most + LATER + asked);
  // No amount helps on a day that is over.
  assertEquals(await said("closed"), CLOSED + asked);
});

Deno.test("renderAgent() says nothing of today to a bid above the cap of one, nor of a wait that can't help", async () => {
  const said = async (refusal: Partial<RefusalOf<"mandate_exceeded">>) => {
    const { body } = await answerTo({
      ...EVERY_REFUSAL.mandate_exceeded as RefusalOf<"mandate_exceeded">,
      ...refusal,
    });
    return (body as { detail: string }).detail;
  };
  const begins = "Cannot place the bid of 1600 cents: the mandate allows ";
  assertEquals(
    await said({ cap: "bid", resetsAtMs: null }),
    `${begins}2000 cents for one bid`,
  );
  assertEquals(
    await said({ cap: "day", resetsAtMs: null }),
    `${begins}2000 cents a day`,
  );
});

Deno.test("renderAgent() sends nobody to a page for a day that is over without saying so", async () => {
  for (
    const code of [
      "mandate_missing",
      "mandate_expired",
      "human_step_required",
    ] as const
  ) {
    for (
      const [state, end] of [["closed", CLOSED], ["not_open", LATER]] as const
    ) {
      const refusal = { ...EVERY_REFUSAL[code], ...bidOn(state) } as Refusal;
      const { body } = await answerTo(refusal);
      const { detail } = body as { detail: string };
      assert(detail.endsWith(end), detail);
    }
  }
});

Deno.test("renderAgent() names the readiness of the very bid that needs a person", async () => {
  const refusal = { ...EVERY_REFUSAL.human_step_required, ...bidOn("open") };
  const { body } = await answerTo(refusal as Refusal);
  assertEquals(
    (body as { detail: string }).detail,
    "Cannot place the bid (vat_unverified, creative_not_approved): " +
      `next_action of GET ${bidOn("open").bid.readinessUrl} says who acts ` +
      "first; the page for a person is " +
      "https://spotlight.example/account/company",
  );
});

Deno.test("renderAgent() tells reasons and where a person acts", async () => {
  const { body } = await answerTo(EVERY_REFUSAL.human_step_required);
  assertEquals(body, {
    type: `${PROBLEMS}/agent-human-step-required`,
    title: "Human step required",
    status: 403,
    code: "agent.human-step-required",
    detail: "Cannot do this now (vat_unverified, creative_not_approved): " +
      "next_action of GET https://api.spotlight.example/v1/agent/me says who " +
      "acts first; the page for a person is " +
      "https://spotlight.example/account/company",
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
  payout_refused: ["CONFLICT", "payout-open"],
  partner_required: ["CONFLICT", "partner-not-payable"],
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

Deno.test("renderAgent() says what to do about a day that takes no bid", async () => {
  const said = async (refusal: Refusal) =>
    ((await answerTo(refusal)).body as { detail: string }).detail;
  const day = dayText("2026-11-20");
  const next = dayText("2026-11-22");
  const opens = "it takes bids from 2026-11-20T00:00:00.000Z";
  const begins = "Cannot bid on 2026-11-20: the auction of that day has ";
  assertEquals(
    [
      await said(EVERY_REFUSAL.auction_not_open),
      await said({
        code: "auction_not_open",
        day,
        nextDay: { day, opensAtMs: null },
      }),
      await said(EVERY_REFUSAL.auction_closed),
      await said({
        code: "auction_closed",
        day,
        nextDay: { day: next, opensAtMs: null },
      }),
    ],
    [
      `${begins}not opened yet: ${opens}`,
      `${begins}not opened yet, it is due and opens within a minute or two: ` +
      "try again then",
      `${begins}closed, the next day to bid on is 2026-11-21, which takes ` +
      "bids from 2026-11-21T00:00:00.000Z",
      `${begins}closed, the next day to bid on is 2026-11-22, which takes ` +
      "bids now",
    ],
  );
});
