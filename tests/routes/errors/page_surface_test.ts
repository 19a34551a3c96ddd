import { assert, assertEquals } from "@std/assert";
import { Contention } from "../../../domain/failure.ts";
import type { Refusal } from "../../../domain/refusal.ts";
import type { AnswerContext } from "../../../routes/errors/answer_context.ts";
import { PAGE_ANSWERS } from "../../../routes/errors/page_surface.tsx";
import { SCRIPT_ANSWERS } from "../../../routes/errors/script_surface.ts";
import {
  ANSWER_CONTEXT,
  EVERY_REFUSAL,
  statusesOf,
} from "../../support/answers.ts";

function possible(
  render: (refusal: Refusal, context: AnswerContext) => Response,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(statusesOf(render))
      .filter((entry): entry is [string, number] => entry[1] !== "impossible"),
  );
}

Deno.test("pages answer what people meet, with pages", async () => {
  const statuses = possible(PAGE_ANSWERS.refused);
  assertEquals(statuses.cookie_repeated, 400);
  assertEquals(statuses.origin_not_own, 403);
  assertEquals(statuses.session_missing, 403);
  assertEquals(statuses.not_found, 404);
  assertEquals(statuses.method_not_allowed, 405);
  assertEquals(statuses.last_sign_in_method, 409);
  assertEquals(statuses.rate_limited, 429);
  assertEquals(statuses.token_invalid, undefined);
  for (const code of Object.keys(statuses) as (keyof typeof EVERY_REFUSAL)[]) {
    const answer = PAGE_ANSWERS.refused(EVERY_REFUSAL[code], ANSWER_CONTEXT);
    const { headers } = answer;
    assertEquals(headers.get("content-type"), "text/html; charset=utf-8", code);
    assertEquals(headers.get("cache-control"), "no-store");
    assertEquals(headers.get("x-request-id"), "req_1");
    assertEquals(headers.get("referrer-policy"), "same-origin");
    const page = await answer.text();
    assert(/<h1>[A-Z][^<]+<\/h1><p>[A-Z“][^<]+\.<\/p>/.test(page), page);
  }
});

Deno.test("a page's 500 and 503 tell no inner detail", async () => {
  const failed = PAGE_ANSWERS.failed?.(ANSWER_CONTEXT);
  assertEquals(failed?.status, 500);
  assert((await failed?.text())?.includes("recorded as req_1"));
  const unavailable = PAGE_ANSWERS.unavailable?.(
    3,
    ANSWER_CONTEXT,
    new Contention(),
  );
  assertEquals(unavailable?.status, 503);
  assertEquals(unavailable?.headers.get("retry-after"), "3");
});

Deno.test("a page's 429 and 405 carry their headers", () => {
  const { rate_limited, method_not_allowed } = EVERY_REFUSAL;
  const limited = PAGE_ANSWERS.refused(rate_limited, ANSWER_CONTEXT);
  assertEquals(limited.headers.get("retry-after"), "3");
  const method = PAGE_ANSWERS.refused(method_not_allowed, ANSWER_CONTEXT);
  assertEquals(method.headers.get("allow"), "GET, HEAD");
});

Deno.test("scripts of pages are answered public problems", async () => {
  const statuses = possible(SCRIPT_ANSWERS.refused);
  assertEquals(statuses.passkey_rejected, 400);
  assertEquals(statuses.passkeys_full, 409);
  assertEquals(statuses.session_missing, 403);
  assertEquals(statuses.origin_not_own, 403);
  const answer = SCRIPT_ANSWERS.refused(
    EVERY_REFUSAL.passkeys_full,
    ANSWER_CONTEXT,
  );
  assertEquals(
    answer.headers.get("content-type"),
    "application/problem+json",
  );
  const { detail, type } = await answer.json();
  assertEquals(type, "https://spotlight.example/problems/conflict");
  assertEquals(
    detail,
    "There are too many passkeys: Remove one that you do not use any more.",
  );
});
