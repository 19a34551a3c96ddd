import { assertEquals } from "@std/assert";
import { renderPublic } from "../../../routes/errors/public_surface.ts";
import {
  internalProblem,
  unavailableProblem,
} from "../../../routes/errors/public_problem.ts";
import {
  ANSWER_CONTEXT,
  EVERY_REFUSAL,
  partsOf,
  statusesOf,
} from "../../support/answers.ts";

const HEADERS = {
  "cache-control": "no-store",
  "content-type": "application/problem+json",
  ratelimit: '"agent";r=7',
  "x-request-id": "req_1",
};

Deno.test("renderPublic() answers the refusals of public reads and no other", () => {
  const possible = Object.entries(statusesOf(renderPublic))
    .filter(([, status]) => status !== "impossible");
  assertEquals(Object.fromEntries(possible), {
    invalid_input: 400,
    bad_request: 400,
    not_found: 404,
    method_not_allowed: 405,
    rate_limited: 429,
    idempotency_key_required: 400,
    spotlight_not_found: 404,
    sandbox_job_not_found: 404,
  });
});

Deno.test("renderPublic() answers 404 as a public problem", async () => {
  const answer = renderPublic(
    EVERY_REFUSAL.spotlight_not_found,
    ANSWER_CONTEXT,
  );
  assertEquals(await partsOf(answer), {
    status: 404,
    headers: HEADERS,
    body: {
      type: "https://spotlight.example/problems/spotlight-not-found",
      title: "Spotlight not found",
      status: 404,
      detail: "Cannot find the Spotlight of 2026-11-20: " +
        "the day has no settled Spotlight; " +
        "GET /api/v1/spotlight has the one on show now",
      docs: "https://spotlight.example/developers#days-without-a-spotlight",
    },
  });
});

Deno.test("renderPublic() answers 429 with Retry-After", async () => {
  const answer = renderPublic(EVERY_REFUSAL.rate_limited, ANSWER_CONTEXT);
  assertEquals(await partsOf(answer), {
    status: 429,
    headers: { ...HEADERS, "retry-after": "3" },
    body: {
      type: "https://spotlight.example/problems/rate-limited",
      title: "Too many requests",
      status: 429,
      detail: "Cannot answer now: the bucket of this address is empty, " +
        "retry in 3 seconds",
      docs: "https://spotlight.example/developers#rate-limits",
    },
  });
});

Deno.test("renderPublic() answers 405 with Allow", () => {
  const answer = renderPublic(EVERY_REFUSAL.method_not_allowed, ANSWER_CONTEXT);
  assertEquals(answer.headers.get("allow"), "GET, HEAD");
});

Deno.test("unavailableProblem() says when to repeat the same request", async () => {
  const { status, headers, body } = await partsOf(
    unavailableProblem(1, ANSWER_CONTEXT),
  );
  assertEquals(status, 503);
  assertEquals(headers, { ...HEADERS, "retry-after": "1" });
  assertEquals(body, {
    type: "https://spotlight.example/problems/temporarily-unavailable",
    title: "Temporarily unavailable",
    status: 503,
    detail: "Cannot complete the request now: retry in 1 second with the " +
      "same body and Idempotency-Key",
    docs: "https://spotlight.example/developers#after-an-uncertain-answer",
  });
});

Deno.test("internalProblem() names the request and nothing of the fault", async () => {
  const { status, body } = await partsOf(internalProblem(ANSWER_CONTEXT));
  assertEquals(status, 500);
  assertEquals(body, {
    type: "https://spotlight.example/problems/internal-error",
    title: "Internal error",
    status: 500,
    detail: 'Cannot answer the request: the fault is recorded as "req_1"',
    docs: "https://spotlight.example/developers#after-an-uncertain-answer",
  });
});
