import { assertEquals } from "@std/assert";
import type { Refusal } from "../../../domain/refusal.ts";
import { renderOperator } from "../../../routes/errors/operator_surface.ts";
import {
  ANSWER_CONTEXT,
  EVERY_REFUSAL,
  partsOf,
} from "../../support/answers.ts";

async function codeOf(refusal: Refusal): Promise<string> {
  const { status, body } = await partsOf(
    renderOperator(refusal, ANSWER_CONTEXT),
  );
  return `${status} ${(body as { code?: string }).code ?? "no code"}`;
}

const ANSWERS = {
  invalid_input: "400 VALIDATION_FAILED",
  bad_request: "400 VALIDATION_FAILED",
  operator_key_invalid: "401 AUTH_REQUIRED",
  scope_missing: "403 FORBIDDEN",
  not_found: "404 NOT_FOUND",
  account_not_found: "404 NOT_FOUND",
  spotlight_not_found: "404 NOT_FOUND",
  method_not_allowed: "405 no code",
  auction_not_openable: "409 CONFLICT",
  auction_not_closable: "409 CONFLICT",
  auction_not_closed: "409 CONFLICT",
  day_not_begun: "409 CONFLICT",
  day_before_unsettled: "409 CONFLICT",
  store_not_empty: "409 CONFLICT",
  rate_limited: "429 RATE_LIMITED",
} as const;

for (const [code, answer] of Object.entries(ANSWERS)) {
  Deno.test(`renderOperator() answers ${code} with ${answer}`, async () => {
    const refusal = EVERY_REFUSAL[code as keyof typeof ANSWERS];
    assertEquals(await codeOf(refusal), answer);
  });
}

Deno.test("renderOperator() writes a conflict as EngineProblem", async () => {
  const answer = renderOperator(
    EVERY_REFUSAL.auction_not_closed,
    ANSWER_CONTEXT,
  );
  assertEquals(answer.headers.get("content-type"), "application/problem+json");
  assertEquals(await answer.json(), {
    type: "https://spotlight.example/problems/auction-not-closed",
    title: "Auction not closed",
    status: 409,
    code: "CONFLICT",
    detail: "Cannot settle the auction of 2026-11-20: it must be CLOSED, " +
      "current phase is OPEN",
  });
});

Deno.test("renderOperator() says whose clock refuses to close or settle a day", async () => {
  const { auction_not_closed, day_not_begun } = EVERY_REFUSAL;
  const says = " (by the clock of the payment processor: this service's may " +
    "be ahead, or the processor does not answer)";
  for (const refusal of [auction_not_closed, day_not_begun]) {
    const detail = async (by: "own" | "processor") => {
      const answer = renderOperator({ ...refusal, by }, ANSWER_CONTEXT);
      return (await answer.json()).detail;
    };
    assertEquals(await detail("processor"), await detail("own") + says);
  }
});

Deno.test("renderOperator() challenges a caller without the key", () => {
  const answer = renderOperator(
    EVERY_REFUSAL.operator_key_invalid,
    ANSWER_CONTEXT,
  );
  assertEquals(
    answer.headers.get("www-authenticate"),
    'Bearer realm="operator"',
  );
});
